internal import CRealtime
internal import DSP
internal import Realtime

/// Decides, hop by hop, where the engine reads the captured input: behind the newest input,
/// catching up, or in step with it.
struct StretchCourse: BitwiseCopyable {
    let lengths: StretchLengths
    private let bufferFrames: Double
    private let loops: Bool
    private let readAheadFrames: Int
    /// The speed, from 0.
    var rate: Double
    /// Whether the engine follows the newest input as closely as it can.
    private var isFollowing = true
    /// Whether the buffer plays as a loop; nothing is captured meanwhile.
    private(set) var isLooping = false
    /// The remaining steps of the crossfade after the end of a loop.
    private var blendStepsLeft = 0

    /// The use of a step's input.
    enum Capture: BitwiseCopyable {
        case write
        case pause
        /// The input is blended into the frames this many steps back.
        case blend(stepsBack: Int, share: Float, shareStep: Float)
    }

    /// The next movement of the engine.
    struct Move: BitwiseCopyable {
        var isJump = false
        /// The destination of a jump.
        var inputFrame = 0.0
        var advanceFrames = 0.0
        var mayAlign = false
    }

    /// The steps of the crossfade from a loop's end to the newest input: 21 ms.
    private static var blendSteps: Int { @_noLocks get { 16 } }

    /// Creates a course that follows the newest input.
    ///
    /// - Parameters:
    ///   - lengths: The lengths of the engine.
    ///   - bufferFrames: The longest delay to the input.
    ///   - loops: Whether a full buffer plays as a loop; otherwise playback returns to the newest
    ///     input.
    ///   - readAheadFrames: The frames that the reader needs beyond its position.
    ///   - rate: The speed, from 0.
    init(
        lengths: StretchLengths, bufferFrames: Int, loops: Bool, readAheadFrames: Int, rate: Float
    ) {
        self.lengths = lengths
        self.bufferFrames = Double(bufferFrames)
        self.loops = loops
        self.readAheadFrames = readAheadFrames
        self.rate = Double(rate)
    }

    /// The first frame that is read.
    ///
    /// It is chosen so that each step does one stage of a hop.
    var firstReadFrame: Int {
        @_noLocks get { lengths.stepFrames - lengths.hopFrames - readAheadFrames }
    }

    /// The delay at rate 1: a window, the frames stretched ahead of the reader, and the lookahead
    /// beyond the window.
    var latencyFrames: Int {
        @_noLocks get { lengths.transformFrames - firstReadFrame + lengths.lookaheadFrames }
    }

    /// The input frame at the centre of the first window.
    var firstInputFrame: Double {
        @_noLocks get {
            Double(lengths.stepFrames - lengths.transformFrames / 2 - lengths.lookaheadFrames)
        }
    }

    /// The frames that the ring must hold: the buffer, and the frames that windows need beyond it.
    var capacityFrames: Int {
        @_noLocks get {
            Int(bufferFrames) + latencyFrames + 2 * lengths.transformFrames
        }
    }

    @_noLocks
    mutating func reset() {
        isFollowing = true
        isLooping = false
        blendStepsLeft = 0
    }

    /// Writes the course, except the rate.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(
            (isFollowing ? 1 : 0) + (isLooping ? 2 : 0) + 4 * blendStepsLeft)
    }

    /// Continues on a noted course.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        let word = notes.pointee.pop(from: 0, through: 4 * StretchCourse.blendSteps + 3)
        isFollowing = word & 1 != 0
        isLooping = word & 2 != 0
        blendStepsLeft = word >> 2
    }

    /// Returns the use of the next step's input.
    @_noLocks
    mutating func nextCapture() -> Capture {
        if isLooping { return .pause }
        guard blendStepsLeft > 0 else { return .write }
        let steps = Float(StretchCourse.blendSteps)
        let share = (steps - Float(blendStepsLeft)) / steps
        let shareStep = 1 / (steps * Float(lengths.stepFrames))
        let stepsBack = blendStepsLeft
        blendStepsLeft -= 1
        return .blend(stepsBack: stepsBack, share: share, shareStep: shareStep)
    }

    /// Returns the move of the next hop.
    ///
    /// - Parameters:
    ///   - inputFrame: The engine's position in the input.
    ///   - writtenFrames: The number of frames captured so far.
    ///   - aheadFrames: The distance from the reader to the hop's centre, in frames of the
    ///     stretched sound.
    ///   - ratio: The ratio at which the stretched sound is read.
    /// - Returns: The position of the hop, and the distance to the next one.
    @_noLocks
    mutating func next(
        inputFrame: Double, writtenFrames: Int, aheadFrames: Double, ratio: Double
    ) -> Move {
        let written = Double(writtenFrames)
        let half = Double(lengths.transformFrames / 2)
        // The farthest position of a window in which all attacks are known.
        let farthest = written - half - Double(lengths.lookaheadFrames - lengths.stepFrames)
        let now =
            written + aheadFrames / ratio - Double(latencyFrames) - slowReadingFrames(ratio)
        let span = Double(lengths.hopFrames) / ratio
        if isLooping {
            if rate <= 1 { return looped(inputFrame, span: span, end: farthest) }
            isLooping = false
            blendStepsLeft = StretchCourse.blendSteps
        }
        return live(
            inputFrame, span: span, now: now, reach: max(0, span + farthest - inputFrame))
    }

    /// Returns the additional delay if the frames stretched ahead are read slowly, and so last
    /// longer.
    @_noLocks
    private func slowReadingFrames(_ ratio: Double) -> Double {
        let maximumAheadFrames =
            lengths.transformFrames / 2 - firstReadFrame + lengths.stepFrames
        return max(0, Double(maximumAheadFrames) * (1 / ratio - 1))
    }

    /// Returns the move while the input is captured.
    @_noLocks
    private mutating func live(_ inputFrame: Double, span: Double, now: Double, reach: Double)
        -> Move
    {
        var pending = now - inputFrame
        if abs(pending) < 1e-3 { pending = 0 }
        if rate < 1 {
            isFollowing = false
            let advance = min(rate * span, reach)
            if pending + span - advance > bufferFrames { return full(inputFrame, now, advance) }
            return Move(advanceFrames: advance)
        }
        if rate > 1, rate * span >= span + pending { isFollowing = true }
        var advance = rate * span
        if isFollowing {
            // A change of the interval moves the target position; the engine approaches it
            // gradually.
            let fastest = max(rate, 2) * span
            advance = min(max(span + pending, 0.5 * span), fastest)
        }
        let isFree = !isFollowing && pending > span + Double(lengths.alignmentFrames)
        return Move(advanceFrames: min(advance, reach), mayAlign: isFree)
    }

    /// Returns the move when the buffer is full: back to the newest input, or into the loop.
    @_noLocks
    private mutating func full(_ inputFrame: Double, _ now: Double, _ advance: Double) -> Move {
        if loops {
            isLooping = true
            return Move(advanceFrames: advance)
        }
        return Move(isJump: true, inputFrame: rt_floor(now + 0.5), advanceFrames: advance)
    }

    /// Returns the next move of the loop; its end leads to its start.
    @_noLocks
    private func looped(_ inputFrame: Double, span: Double, end: Double) -> Move {
        let advance = rate * span
        guard inputFrame + advance > end else { return Move(advanceFrames: advance) }
        return Move(
            isJump: true, inputFrame: inputFrame - bufferFrames, advanceFrames: advance)
    }
}
