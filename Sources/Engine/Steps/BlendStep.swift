internal import CRealtime
internal import Realtime

/// Sums the signals at one input while one signal replaces another.
struct BlendStep: BitwiseCopyable {
    /// A summand.
    struct Term: BitwiseCopyable {
        let from: UnsafePointer<Float>
        /// One gain per frame; `nil` if the gain is 1.
        let gains: UnsafePointer<Float>?
    }

    let terms: UnsafeMutablePointer<Term>
    let termCount: Int
    let into: UnsafeMutablePointer<Float>

    @_noLocks
    func run(_ frames: Int) {
        rt_clear(into, Int64(frames))
        for index in 0..<termCount {
            let from = terms[index].from
            if let gains = terms[index].gains {
                for frame in 0..<frames { into[frame] += from[frame] * gains[frame] }
            } else {
                for frame in 0..<frames { into[frame] += from[frame] }
            }
        }
    }
}

// SAFETY: `ScheduleLayout` pairs this function only with a state of this type.
@_noLocks
func runBlendStep(_ state: UnsafeMutableRawPointer, _ cycle: UnsafePointer<RTCycle>) {
    state.assumingMemoryBound(to: BlendStep.self).pointee.run(Int(cycle.pointee.frameCount))
}

/// The level of all inputs of a schedule.
struct InputLevel: BitwiseCopyable {
    /// The gains of the cycle, one per frame; valid while `isMoving`.
    let gains: UnsafeMutablePointer<Float>
    private var level = SmoothRamp(1)
    /// Whether the gains apply.
    private(set) var isMoving = false

    init(gains: UnsafeMutablePointer<Float>) { self.gains = gains }

    /// Moves the input level to `target`, over `frames` frames.
    @_noLocks
    mutating func move(to target: Float, frames: Int32) { level.move(to: target, frames: frames) }

    /// Ramps the input up from silence.
    @_noLocks
    mutating func fadeIn(frames: Int32) { level.move(from: 0, to: 1, frames: frames) }

    /// Continues from the level of another schedule that is no longer audible.
    @_noLocks
    mutating func follow(_ former: UnsafeMutablePointer<InputLevel>) {
        level = former.pointee.level
    }

    /// Whether the input is silent.
    var isSilent: Bool { @_noLocks get { level.isResting && level.value == 0 } }

    @_noLocks
    mutating func advance(_ frames: Int) {
        isMoving = !(level.isResting && level.value == 1)
        guard isMoving else { return }
        for frame in 0..<frames { gains[frame] = level.next() }
    }
}
