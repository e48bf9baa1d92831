internal import CRealtime

/// Copies an input channel of the engine into a buffer of the schedule, and replaces NaN and
/// infinity by zero.
struct InputStep: BitwiseCopyable {
    /// The input channels of this cycle.
    let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
    let channel: Int
    let into: UnsafeMutablePointer<Float>
    let level: UnsafeMutablePointer<InputLevel>

    @_noLocks
    func run(_ frames: Int) {
        let from = inputs[channel]
        if rt_is_finite(from, Int64(frames)) {
            rt_copy(into, from, Int64(frames))
        } else {
            for frame in 0..<frames { into[frame] = from[frame].isFinite ? from[frame] : 0 }
        }
        guard level.pointee.isMoving else { return }
        let gains = level.pointee.gains
        for frame in 0..<frames { into[frame] *= gains[frame] }
    }
}

// SAFETY: `ScheduleLayout` pairs this function only with a state of this type.
@_noLocks
func runInputStep(_ state: UnsafeMutableRawPointer, _ cycle: UnsafePointer<RTCycle>) {
    state.assumingMemoryBound(to: InputStep.self).pointee.run(Int(cycle.pointee.frameCount))
}
