internal import CRealtime
internal import Processing

/// A control that moves gradually to a new value, by one step per run.
///
/// The value depends only on the number of frames that were rendered since the move began.
struct ControlGlide {
    /// The duration of a move if blocks are short, in seconds.
    private static let seconds = 0.02
    /// The minimum number of steps of a move, one per run, because a single step would be audible.
    private static let minimumRuns = 4

    /// Returns the duration of a move, in frames.
    static func lengthFrames(_ format: AudioFormat) -> Int32 {
        let frames = Int((format.sampleRate * seconds).rounded())
        return Int32(max(1, frames, minimumRuns * format.maximumBlockFrames))
    }

    /// The address from which the plugin reads the control.
    let address: UnsafeMutablePointer<Float>
    /// Whether the control moves gradually; otherwise it changes at once.
    let isGradual: Bool
    /// Whether it moves by equal ratios instead of equal steps.
    let isLogarithmic: Bool
    /// The index of the trigger that has the control; -1 if the control is not a trigger.
    let trigger: Int32
    private var origin: Float = 0
    private var goal: Float = 0
    private var framesRun: Int32 = 0
    private(set) var isMoving = false

    init(
        _ address: UnsafeMutablePointer<Float>, isGradual: Bool, isLogarithmic: Bool,
        trigger: Int32 = -1
    ) {
        self.address = address
        self.trigger = trigger
        self.isGradual = isGradual
        self.isLogarithmic = isLogarithmic
    }

    /// Starts a move from the current value to another.
    @_noLocks
    mutating func move(to value: Float) {
        origin = address.pointee
        goal = value
        framesRun = 0
        isMoving = isGradual && origin != goal
        if !isMoving { address.pointee = goal }
    }

    /// Sets the control to its target value.
    @_noLocks
    mutating func finish() {
        if isMoving { address.pointee = goal }
        isMoving = false
    }

    /// Advances the move by the frames of one run.
    @_noLocks
    mutating func advance(_ frameCount: Int32, lengthFrames: Int32) {
        framesRun += min(frameCount, lengthFrames)
        guard framesRun < lengthFrames else { return finish() }
        let share = Float(framesRun) / Float(lengthFrames)
        if isLogarithmic, origin > 0, goal > 0 {
            address.pointee = origin * Float(rt_exp(rt_log(Double(goal / origin)) * Double(share)))
        } else {
            address.pointee = origin + (goal - origin) * share
        }
    }
}
