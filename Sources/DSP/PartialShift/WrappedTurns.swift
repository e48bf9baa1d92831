internal import CRealtime

extension Float {
    /// The same angle, in turns, from -0.5 to 0.5.
    var wrappedTurns: Float {
        @_noLocks @inline(__always) get { rt_lanes_wrapped(SIMD4(repeating: self))[0] }
    }
}
