internal import CRealtime
internal import DSP
internal import Realtime

/// The stretch engine of a playback voice, and its position in the frame ring.
struct PlaybackVoiceStretch: ~Copyable {
    /// An output frame of the engine, and the ring frame that it plays.
    private struct Anchor: BitwiseCopyable {
        var outputFrame = 0
        var inputFrame = 0.0
        var advanceFrames = 0.0
    }

    let lengths: StretchLengths
    private var engine: StretchEngine
    private var reader: StretchReader
    private let anchors: Buffer<Anchor>
    private var anchorCount = 0
    /// Whether a return to rate 1 may shift the position slightly, to avoid a dip in the level.
    private let mayAlign: Bool
    var rate = 1.0
    var semitones: Float = 0
    /// The output frame since which every hop has copied the input unchanged.
    private var steadyFrame = 0
    private var steadyOffset = 0.0
    /// Whether the engine prepares for a switch; it then reads at the original speed.
    private var isJoining = false

    private static var maximumAnchors: Int { @_noLocks get { 32 } }

    /// Creates an idle engine.
    ///
    /// - Parameters:
    ///   - channels: The channels of the playback voice.
    ///   - lengths: The window and hop lengths.
    ///   - ringFrames: The capacity of the ring in frames.
    ///   - glideSteps: The number of steps of a glide to a new pitch interval.
    ///   - mayAlign: Whether a return to rate 1 may shift the position slightly.
    init(
        channels: Int, lengths: StretchLengths, ringFrames: Int, glideSteps: Int, mayAlign: Bool
    ) {
        self.lengths = lengths
        self.mayAlign = mayAlign
        engine = StretchEngine(channelCount: channels, lengths: lengths, ringFrames: ringFrames)
        reader = StretchReader(
            stepFrames: lengths.stepFrames, semitones: 0, glideSteps: glideSteps)
        anchors = Buffer(count: Self.maximumAnchors, repeating: Anchor())
    }

    /// Whether the current values require stretching.
    var isWanted: Bool { @_noLocks get { rate != 1 || semitones != 0 } }

    // MARK: Start

    /// Starts at the first frame of the ring, with the current rate and interval.
    @_noLocks
    mutating func begin() {
        reader.reset(frame: lengths.transformFrames, semitones: semitones)
        let advance = rate / reader.ratio
        engine.reset(inputFrame: -advance * Double(lengths.transformFrames / 2))
        forget()
        isJoining = false
    }

    /// Starts so that the first output frame is ring frame `frame`; reads at the original speed.
    @_noLocks
    mutating func join(at frame: Int) {
        reader.reset(frame: lengths.transformFrames, semitones: 0)
        engine.reset(
            inputFrame: Double(frame - lengths.transformFrames / 2),
            firstScannedFrame: frame - 2 * lengths.hopFrames)
        forget()
        isJoining = true
    }

    @_noLocks
    private mutating func forget() {
        anchorCount = 0
        steadyFrame = 0
        steadyOffset = .infinity
    }

    /// Runs the engine ahead of its first output frame.
    ///
    /// - Parameters:
    ///   - upcoming: The ring; the engine waits if it is not filled up to `neededFrame`.
    ///   - parts: The largest amount of work, in eighths of a hop.
    /// - Returns: Whether the engine is ready to play.
    @_noLocks
    mutating func warm(_ upcoming: borrowing FrameRing, parts: Int) -> Bool {
        let goal = lengths.transformFrames + lengths.stepFrames + reader.framesAfter
        var left = parts
        while engine.madeFrames < goal {
            guard left > 0, !engine.isAtHopStart || upcoming.writtenFrames >= neededFrame else {
                return false
            }
            work(upcoming)
            left -= 1
        }
        isJoining = false
        return true
    }

    // MARK: Playback

    /// The ring frame up to which the ring must be filled for the next step.
    var neededFrame: Int {
        @_noLocks get {
            let advance = max(1, rate / reader.ratio) * Double(lengths.hopFrames)
            return Int(engine.inputFrame + advance) + lengths.transformFrames / 2
                + 5 * lengths.hopFrames + 2 * lengths.lookaheadFrames
        }
    }

    /// Whether the last output frame is an unchanged input frame, and the next ones will be too.
    var isThrough: Bool {
        @_noLocks get {
            rate == 1 && semitones == 0 && reader.isCopying
                && reader.wholeFrame >= steadyFrame + lengths.transformFrames
                    + 2 * lengths.hopFrames
                && steadyOffset.isFinite && engine.madeFrames > reader.wholeFrame
        }
    }

    /// The ring frame at the start of the next step, if `isThrough` is true.
    var throughFrame: Int { @_noLocks get { reader.wholeFrame + Int(steadyOffset) } }

    /// The ring frame at the start of the next step.
    var position: Double {
        @_noLocks get {
            let frame = reader.wholeFrame
            var index = anchorCount - 1
            let first = max(0, anchorCount - Self.maximumAnchors)
            while index > first, anchors[index % Self.maximumAnchors].outputFrame > frame {
                index -= 1
            }
            guard index >= first else { return 0 }
            let anchor = anchors[index % Self.maximumAnchors]
            let share = Double(frame - anchor.outputFrame) / Double(lengths.hopFrames)
            return anchor.inputFrame + share * anchor.advanceFrames
        }
    }

    /// Renders a step: `stepFrames` per channel, one channel after the other.
    @_noLocks
    mutating func step(
        _ upcoming: borrowing FrameRing, channels: Int,
        into stepSamples: UnsafeMutablePointer<Float>
    ) {
        reader.move(toSemitones: semitones)
        reader.beginStep()
        let neededFrames =
            reader.endFrame + reader.framesAfter + lengths.hopFrames
            - lengths.hopFrames / StretchLengths.stageCount
        while engine.progressFrames < neededFrames { work(upcoming) }
        for channel in 0..<channels {
            reader.read(
                engine.output(channel, from: reader.wholeFrame),
                into: stepSamples + channel * lengths.stepFrames)
        }
        reader.endStep()
    }

    @_noLocks
    private mutating func work(_ upcoming: borrowing FrameRing) {
        engine.prepare(upcoming.ring)
        if engine.isAtHopStart { planHop() }
        engine.advance(upcoming.ring)
    }

    @_noLocks
    private mutating func planHop() {
        let hop = Double(lengths.hopFrames)
        let speed = isJoining ? 1 : rate / reader.ratio
        let offset =
            engine.inputFrame - Double(engine.madeFrames + engine.centreLeadFrames)
        if speed != 1 {
            steadyOffset = .infinity
        } else if offset != steadyOffset {
            steadyOffset = offset == rt_floor(offset) ? offset : .infinity
            steadyFrame = engine.madeFrames
        }
        anchors[anchorCount % Self.maximumAnchors] = Anchor(
            outputFrame: engine.madeFrames + engine.centreLeadFrames,
            inputFrame: engine.inputFrame, advanceFrames: speed * hop)
        anchorCount += 1
        engine.bandShare = isJoining ? 1 : min(1, 1 / reader.ratio)
        engine.plan(advanceFrames: speed * hop, mayAlign: mayAlign)
    }
}
