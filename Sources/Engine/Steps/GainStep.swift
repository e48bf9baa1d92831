internal import CRealtime

/// Multiplies a signal of a song by the song's gain, and by the level of its scenes if there is one.
struct GainStep: BitwiseCopyable {
    let from: UnsafePointer<Float>
    let into: UnsafeMutablePointer<Float>
    /// An amplitude factor.
    let gain: Float
    /// The level for this piece; `nil` without one.
    let level: UnsafePointer<SceneLevel>?

    @_noLocks
    func run(_ frames: Int) {
        var gain = gain
        if let level {
            guard level.pointee.constant >= 0 else {
                let gains = level.pointee.gains
                for frame in 0..<frames { into[frame] = from[frame] * (gain * gains[frame]) }
                return
            }
            gain *= level.pointee.constant
        }
        for frame in 0..<frames { into[frame] = from[frame] * gain }
    }
}

// SAFETY: `ScheduleLayout` pairs this function only with a state of this type.
@_noLocks
func runGainStep(_ state: UnsafeMutableRawPointer, _ cycle: UnsafePointer<RTCycle>) {
    state.assumingMemoryBound(to: GainStep.self).pointee.run(Int(cycle.pointee.frameCount))
}
