internal import CRealtime
internal import Processing

/// A control on its way to a new value, moved once a run.
///
/// It is a function of the frames that were run since the move began, and of nothing else.
struct ControlGlide {
    /// How long a move takes where blocks are short, in seconds.
    private static let seconds = 0.02
    /// The fewest steps a move is made in, a run each: one leap would be heard.
    private static let fewestRuns = 4

    /// How long a move takes, in frames.
    static func lengthFrames(_ format: AudioFormat) -> Int32 {
        let frames = Int((format.sampleRate * seconds).rounded())
        return Int32(max(1, frames, fewestRuns * format.maximumBlockFrames))
    }

    /// Where the plugin reads the control.
    let place: UnsafeMutablePointer<Float>
    /// Whether the control moves gradually; otherwise it is set at once.
    let isGradual: Bool
    /// Whether it moves by equal ratios rather than by equal steps.
    let isLogarithmic: Bool
    private var origin: Float = 0
    private var goal: Float = 0
    private var framesRun: Int32 = 0
    private(set) var isMoving = false

    init(_ place: UnsafeMutablePointer<Float>, isGradual: Bool, isLogarithmic: Bool) {
        self.place = place
        self.isGradual = isGradual
        self.isLogarithmic = isLogarithmic
    }

    /// Sets out for a value from where the control is.
    @_noLocks
    mutating func move(to value: Float) {
        origin = place.pointee
        goal = value
        framesRun = 0
        isMoving = isGradual && origin != goal
        if !isMoving { place.pointee = goal }
    }

    /// Puts the control at its goal.
    @_noLocks
    mutating func finish() {
        if isMoving { place.pointee = goal }
        isMoving = false
    }

    /// Moves on by the frames of one run.
    @_noLocks
    mutating func advance(_ frameCount: Int32, lengthFrames: Int32) {
        framesRun += min(frameCount, lengthFrames)
        guard framesRun < lengthFrames else { return finish() }
        let share = Float(framesRun) / Float(lengthFrames)
        if isLogarithmic, origin > 0, goal > 0 {
            place.pointee = origin * Float(rt_exp(rt_log(Double(goal / origin)) * Double(share)))
        } else {
            place.pointee = origin + (goal - origin) * share
        }
    }
}
