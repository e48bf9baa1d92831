internal import CRealtime

/// Plays what is in a ring faster or slower without changing its pitch, a hop of output at a time, all channels alike.
///
/// Attacks are lifted out of the input and put back untouched where they belong on the output. What is left goes through a
/// phase vocoder: frames are read from the input at one distance and laid down at another. So that a partial goes on where the
/// last frame left it, the region around each spectral peak is turned by the angle between the last output frame and the input
/// read again one output hop earlier: no phase is unwrapped, nothing drifts. At rate 1 the angles go back to zero, and the
/// output is the input.
///
/// The work of a hop is done in `StretchLengths.stageCount` calls of `advance`, each about as long.
///
/// Laroche and Dolson 1999; the input read again: Bungee and Signalsmith Stretch; attacks: Röbel 2003.
public struct StretchEngine: ~Copyable {
    let channelCount: Int
    let lengths: StretchLengths
    let transform: RealTransform
    let windows: StretchWindows
    let memory: StretchMemory
    var peaks: SpectralPeaks
    var closePartials: ClosePartials
    let levels: OverlapLevels
    let slots: AttackSlots
    private var scan: AttackScan
    private var lifter: AttackLifter
    /// Complete output, `readyStride` frames a channel; the last is the one before `madeFrames`.
    let ready: UnsafeMutablePointer<Float>
    let readyStride: Int

    var hop = StretchHop()
    /// How far the last return to rate 1 moved along the input.
    var landingFrames = 0
    var stage = 0
    private var work = StretchWork(part: .finish)
    private var workDone = 0
    private var workTotal = 0
    /// Channels whose frame of this hop lies already.
    var laidChannels = 0
    /// The input's frame under the next frame's centre.
    public internal(set) var inputFrame = 0.0
    /// How many frames of output are complete.
    public internal(set) var madeFrames = 0
    /// Whether there is a last output frame to go on from.
    var hasPrevious = false
    /// Hops until rate 1 is exact.
    var settlingHops = 0
    /// The first frame of the input that no window reached so far.
    var unreadFrame = 0
    /// Which window is in use, by its place among them.
    var window = 0
    /// Hops since the long window came into use.
    var steadyHops = 0
    /// How much the spectrum changed within a hop, from 0 through 1.
    var change: Float = 0
    /// The highest frequency that is laid down, as a share of Nyquist.
    public var bandShare = 1.0

    /// Hops in which rate 1 comes back to the input's own phases; the last one is exact.
    static var settleHops: Int { @_noLocks get { 2 } }
    /// Hops in the long window after which partials near each other are told apart.
    static var steadyHopCount: Int { @_noLocks get { 4 } }
    /// How much of the output's past a reader finds, in frames.
    public static var pastFrames: Int { @_noLocks get { 64 } }

    /// An engine without input.
    ///
    /// - Parameters:
    ///   - channelCount: Signals that keep together: one map of peaks, one list of attacks.
    ///   - lengths: Of windows, hops and attacks.
    ///   - ringFrames: How far back in its ring it may be sent.
    public init(channelCount: Int, lengths: StretchLengths, ringFrames: Int) {
        self.channelCount = channelCount
        self.lengths = lengths
        transform = RealTransform(size: lengths.transformFrames)
        windows = StretchWindows(transformFrames: lengths.transformFrames)
        memory = StretchMemory(
            transformFrames: lengths.transformFrames, channelCount: channelCount)
        peaks = SpectralPeaks(bins: transform.bins, stride: memory.stride)
        closePartials = ClosePartials(bins: transform.bins, stride: memory.stride)
        levels = OverlapLevels(windows: windows, hopFrames: lengths.hopFrames)
        slots = AttackSlots(lengths: lengths, channelCount: channelCount)
        scan = AttackScan(lengths: lengths, ringFrames: ringFrames)
        lifter = AttackLifter(lengths: lengths, channelCount: channelCount)
        readyStride = StretchEngine.pastFrames + 4 * lengths.hopFrames
        ready = zeros(channelCount * readyStride)
    }

    deinit {
        transform.deallocate()
        windows.deallocate()
        memory.deallocate()
        peaks.deallocate()
        closePartials.deallocate()
        levels.deallocate()
        slots.deallocate()
        scan.deallocate()
        lifter.deallocate()
        ready.deallocate()
    }

    /// How far a frame's centre lies behind its first frame of output.
    public var centreLeadFrames: Int { @_noLocks get { lengths.transformFrames / 2 } }

    /// Whether the next call of `advance` begins a hop, which wants to be planned.
    public var isAtHopStart: Bool { @_noLocks get { stage == 0 } }

    /// Frames of output for which work was done.
    public var progressFrames: Int {
        @_noLocks get { madeFrames + stage * lengths.hopFrames / StretchLengths.stageCount }
    }

    /// Becomes as new, with the next frame's centre at a frame of the input.
    ///
    /// - Parameters:
    ///   - inputFrame: Under the centre.
    ///   - firstScannedFrame: From which frame of the ring on attacks are looked for.
    @_noLocks
    public mutating func reset(inputFrame: Double, firstScannedFrame: Int = 0) {
        slots.reset()
        scan.reset(firstFrame: firstScannedFrame)
        lifter.abandon()
        memory.reset()
        rt_clear(ready, Int64(channelCount * readyStride))
        stage = 0
        laidChannels = 0
        madeFrames = 0
        bandShare = 1
        window = 0
        change = 0
        start(at: inputFrame)
    }

    /// Goes on from elsewhere; the overlap of the frames is the crossfade.
    @_noLocks
    public mutating func jump(to inputFrame: Double) {
        slots.release()
        lifter.abandon()
        start(at: inputFrame)
    }

    @_noLocks
    private mutating func start(at inputFrame: Double) {
        self.inputFrame = inputFrame
        hasPrevious = false
        settlingHops = 0
        steadyHops = 0
        unreadFrame = Int(inputFrame) + centreLeadFrames
    }

    /// Looks for attacks in what went into the ring, and lifts those that come next; to be called for every step of frames.
    @_noLocks
    public mutating func prepare(_ ring: CaptureRing) {
        scan.scan(ring)
        lifter.step(
            ring, scan: scan, slots: slots,
            unreadFrame: unreadFrame,
            horizonFrames: 4 * lengths.hopFrames + lengths.lookaheadFrames, bandShare: bandShare)
    }

    /// Decides what the hop that begins does.
    ///
    /// - Parameters:
    ///   - advanceFrames: How far it goes on the input, from 0; a hop's own length is rate 1.
    ///   - mayLand: Whether a return to rate 1 may move a little along the input.
    @_noLocks
    public mutating func plan(advanceFrames: Double, mayLand: Bool) {
        hop.advanceFrames = advanceFrames
        hop.anchorSlot = -1
        if advanceFrames == Double(lengths.hopFrames) {
            planSteady(mayLand: mayLand)
        } else {
            planMoving()
        }
    }

    /// Does the next stage of a hop's work: an eighth, as near as its parts allow.
    @_noLocks
    public mutating func advance(_ ring: CaptureRing) {
        if stage == 0 {
            work = .first(of: hop.kind)
            workDone = 0
            workTotal = StretchWork.cost(of: hop.kind, channelCount: channelCount)
        }
        stage += 1
        let isLast = stage == StretchLengths.stageCount
        // A part goes into the stage where two fifths of it still fit.
        while work.part != .finish,
            isLast
                || StretchLengths.stageCount * (5 * workDone + 2 * work.cost)
                    <= 5 * stage * workTotal
        {
            perform(work, ring)
            workDone += work.cost
            work = work.next(in: hop.kind, channelCount: channelCount)
        }
        if isLast { finishHop() }
    }

    @_noLocks
    private mutating func perform(_ work: StretchWork, _ ring: CaptureRing) {
        switch work.part {
        case .readNow: read(ring, centre: hop.centreFrame, channel: work.channel)
        case .analyseNow: analyseNow(work.channel)
        case .measure: measure(work.channel)
        case .readBefore:
            read(ring, centre: hop.centreFrame - lengths.hopFrames, channel: work.channel)
        case .analyseBefore: analyseBefore(work.channel)
        case .match: match(work.channel)
        case .land: land()
        case .delayMatch: delayMatch()
        case .findPeaks: findPeaks()
        case .writeTurns: writeTurns()
        case .level: level()
        case .turn: turn(work.channel)
        case .synthesise: synthesise(work.channel)
        case .lay: lay(work.channel)
        case .finish: return
        }
    }
}
