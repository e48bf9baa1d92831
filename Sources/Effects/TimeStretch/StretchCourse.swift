internal import CRealtime
internal import DSP

/// Decides, hop by hop, how far the engine goes along what was captured: behind now, after it, or with it.
struct StretchCourse: BitwiseCopyable {
    let lengths: StretchLengths
    private let bufferFrames: Double
    private let loops: Bool
    private let readAheadFrames: Int
    /// How fast it plays, from 0.
    var rate: Double
    /// Whether it plays what comes in now, as soon as it can.
    private var isFollowing = true
    /// Whether what is in the buffer goes round; nothing is captured meanwhile.
    private var isLooping = false
    /// Steps that are left of the fade at the end of a loop that was left.
    private var blendStepsLeft = 0

    /// What becomes of a step's input.
    enum Capture: BitwiseCopyable {
        case write
        case pause
        /// It is blended into what lies that many steps back.
        case blend(stepsBack: Int, share: Float, shareStep: Float)
    }

    /// Where the engine goes.
    struct Move: BitwiseCopyable {
        var isJump = false
        /// Where it jumps to.
        var inputFrame = 0.0
        var advanceFrames = 0.0
        var mayLand = false
    }

    /// Steps of the fade from a loop's end to what comes in: 21 ms.
    private static var blendSteps: Int { @_noLocks get { 16 } }

    /// A course that follows what comes in.
    ///
    /// - Parameters:
    ///   - lengths: Of the engine.
    ///   - bufferFrames: How far it may fall behind.
    ///   - loops: Whether a full buffer goes round; otherwise it goes back to now.
    ///   - readAheadFrames: What the reader needs beyond the frame that it reads at.
    ///   - rate: How fast it plays.
    init(
        lengths: StretchLengths, bufferFrames: Int, loops: Bool, readAheadFrames: Int, rate: Float
    ) {
        self.lengths = lengths
        self.bufferFrames = Double(bufferFrames)
        self.loops = loops
        self.readAheadFrames = readAheadFrames
        self.rate = Double(rate)
    }

    /// The first frame that is read, so that each step has one stage of a hop to do.
    var firstReadFrame: Int {
        @_noLocks get { lengths.stepFrames - lengths.hopFrames - readAheadFrames }
    }

    /// A window, what is stretched ahead of the reader, and what must be known beyond the window.
    var latencyFrames: Int {
        @_noLocks get { lengths.transformFrames - firstReadFrame + lengths.lookaheadFrames }
    }

    /// The input's frame under the first frame's centre.
    var firstInputFrame: Double {
        @_noLocks get {
            Double(lengths.stepFrames - lengths.transformFrames / 2 - lengths.lookaheadFrames)
        }
    }

    /// What the ring must hold: the buffer, and what windows reach beyond it.
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

    /// What becomes of the next step's input.
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

    /// The next hop's move.
    ///
    /// - Parameters:
    ///   - inputFrame: Where the engine is.
    ///   - writtenFrames: Frames captured so far.
    ///   - aheadFrames: How far the hop's centre is ahead of what is read, on the stretched sound.
    ///   - ratio: At which the stretched sound is read.
    /// - Returns: Where the hop is read, and how far it is to the next one.
    @_noLocks
    mutating func next(
        inputFrame: Double, writtenFrames: Int, aheadFrames: Double, ratio: Double
    ) -> Move {
        let written = Double(writtenFrames)
        let half = Double(lengths.transformFrames / 2)
        /// The farthest that a window may be, all attacks in it known.
        let farthest = written - half - Double(lengths.lookaheadFrames - lengths.stepFrames)
        let now =
            written + aheadFrames / ratio - Double(latencyFrames) - slowReadingFrames(ratio)
        let span = Double(lengths.hopFrames) / ratio
        if isLooping {
            if rate <= 1 { return round(inputFrame, span: span, end: farthest) }
            isLooping = false
            blendStepsLeft = StretchCourse.blendSteps
        }
        return live(
            inputFrame, span: span, now: now, reach: max(0, span + farthest - inputFrame))
    }

    /// By how much more it lies behind where what is stretched ahead is read slowly, and so lasts longer.
    @_noLocks
    private func slowReadingFrames(_ ratio: Double) -> Double {
        let mostAheadFrames =
            lengths.transformFrames / 2 - firstReadFrame + lengths.stepFrames
        return max(0, Double(mostAheadFrames) * (1 / ratio - 1))
    }

    /// Beside what comes in.
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
            // Where it lies otherwise than it should, since the interval moved, it goes there gently.
            let fastest = max(rate, 2) * span
            advance = min(max(span + pending, 0.5 * span), fastest)
        }
        let isFree = !isFollowing && pending > span + Double(lengths.landingFrames)
        return Move(advanceFrames: min(advance, reach), mayLand: isFree)
    }

    /// The buffer is full: back to now, or round.
    @_noLocks
    private mutating func full(_ inputFrame: Double, _ now: Double, _ advance: Double) -> Move {
        if loops {
            isLooping = true
            return Move(advanceFrames: advance)
        }
        return Move(isJump: true, inputFrame: rt_floor(now + 0.5), advanceFrames: advance)
    }

    /// On in the loop, or from its end to its start.
    @_noLocks
    private func round(_ inputFrame: Double, span: Double, end: Double) -> Move {
        let advance = rate * span
        guard inputFrame + advance > end else { return Move(advanceFrames: advance) }
        return Move(
            isJump: true, inputFrame: inputFrame - bufferFrames, advanceFrames: advance)
    }
}
