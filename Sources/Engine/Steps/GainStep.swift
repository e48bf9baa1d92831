internal import CRealtime

/// Multiplies a signal of a song by the song's gain.
struct GainStep: BitwiseCopyable {
    let from: UnsafePointer<Float>
    let into: UnsafeMutablePointer<Float>
    /// An amplitude factor.
    let gain: Float

    @_noLocks
    func run(_ frames: Int) {
        for frame in 0..<frames { into[frame] = from[frame] * gain }
    }
}

// SAFETY: `ScheduleLayout` pairs this function only with a state of this type.
@_noLocks
func runGainStep(_ state: UnsafeMutableRawPointer, _ cycle: UnsafePointer<RTCycle>) {
    state.assumingMemoryBound(to: GainStep.self).pointee.run(Int(cycle.pointee.frameCount))
}
