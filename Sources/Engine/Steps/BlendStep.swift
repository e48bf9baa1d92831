internal import CRealtime
internal import Realtime

/// Sums what is heard in one place while one thing takes over from another.
struct BlendStep: BitwiseCopyable {
    /// A part of the sum.
    struct Term: BitwiseCopyable {
        let from: UnsafePointer<Float>
        /// A gain for each frame; nil where it is 1.
        let gains: UnsafePointer<Float>?
    }

    let terms: UnsafeMutablePointer<Term>
    let termCount: Int
    let into: UnsafeMutablePointer<Float>

    @_noLocks
    func run(_ frames: Int) {
        rt_clear(into, Int64(frames))
        for place in 0..<termCount {
            let from = terms[place].from
            if let gains = terms[place].gains {
                for frame in 0..<frames { into[frame] += from[frame] * gains[frame] }
            } else {
                for frame in 0..<frames { into[frame] += from[frame] }
            }
        }
    }
}

// SAFETY: `ScheduleLayout` puts this function beside a state of this type alone.
@_noLocks
func runBlendStep(_ state: UnsafeMutableRawPointer, _ cycle: UnsafePointer<RTCycle>) {
    state.assumingMemoryBound(to: BlendStep.self).pointee.run(Int(cycle.pointee.frameCount))
}

/// The level of all that comes into a schedule.
struct InputLevel: BitwiseCopyable {
    /// The gains of the cycle, where it is not 1 throughout.
    let gains: UnsafeMutablePointer<Float>
    private var level = Swell(1)
    /// Whether the gains count.
    private(set) var isMoving = false

    init(gains: UnsafeMutablePointer<Float>) { self.gains = gains }

    /// Lets the input in, or keeps it out.
    @_noLocks
    mutating func move(to target: Float, frames: Int32) { level.move(to: target, frames: frames) }

    /// Lets the input in from nothing.
    @_noLocks
    mutating func rise(frames: Int32) { level.move(from: 0, to: 1, frames: frames) }

    /// Goes on where another one is, which is no longer heard.
    @_noLocks
    mutating func follow(_ former: UnsafeMutablePointer<InputLevel>) {
        level = former.pointee.level
    }

    /// Whether nothing comes in.
    var isShut: Bool { @_noLocks get { level.isResting && level.value == 0 } }

    @_noLocks
    mutating func advance(_ frames: Int) {
        isMoving = !(level.isResting && level.value == 1)
        guard isMoving else { return }
        for frame in 0..<frames { gains[frame] = level.next() }
    }
}
