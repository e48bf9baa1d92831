internal import CRealtime
internal import Realtime

/// A time stretch that plays the sound of a ring faster or slower at the same pitch, one output hop
/// at a time, with all channels locked together.
///
/// Attacks are cut out of the input and mixed back unchanged at the matching output time. The
/// remaining sound goes through a phase vocoder, which reads frames from the input at one spacing
/// and overlaps them in the output at another. To keep partials continuous, the engine turns the
/// region around each spectral peak by the angle between the last output frame and the input read
/// one output hop earlier. No phase is unwrapped, so no phase drifts. At rate 1 the angles return
/// to zero, and the output equals the input.
///
/// Each hop's work is split over `StretchLengths.stageCount` calls of `advance` of about equal
/// cost.
///
/// Sources: Laroche and Dolson 1999 (peak regions), Bungee and Signalsmith Stretch (reading the
/// input a second time), Röbel 2003 (attacks).
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
    var scan: AttackScan
    var lifter: AttackLifter
    /// The finished output, `readyStride` frames per channel; the last one is the frame before
    /// `madeFrames`.
    let ready: Buffer<Float>
    let readyStride: Int

    var hop = StretchHop()
    /// The distance that the last return to rate 1 moved along the input, in frames.
    var alignmentFrames = 0
    var stage = 0
    private var work = StretchWork(part: .finish)
    private var workDone = 0
    private var workTotal = 0
    /// The number of channels whose frame of this hop is already in the output.
    var addedChannels = 0
    /// The input frame under the centre of the next vocoder frame.
    public internal(set) var inputFrame = 0.0
    /// The number of finished output frames.
    public internal(set) var madeFrames = 0
    /// Whether a previous output frame exists to continue from.
    var hasPrevious = false
    /// Remaining hops until rate 1 is exact.
    var settlingHops = 0
    /// The first input frame that no window has reached yet.
    var unreadFrame = 0
    /// The index of the window in use.
    var window = 0
    /// The number of hops since the long window came into use.
    var steadyHops = 0
    /// The relative change of the spectrum within a hop, from 0 to 1.
    var change: Float = 0
    /// The highest frequency in the output, as a share of Nyquist.
    public var bandShare = 1.0

    /// The number of hops in which rate 1 returns to the phases of the input; the last one is
    /// exact.
    static var settleHops: Int { @_noLocks get { 2 } }
    /// The number of hops in the long window after which close partials are separated.
    static var steadyHopCount: Int { @_noLocks get { 4 } }
    /// The number of past output frames that a reader can still read.
    public static var pastFrames: Int { @_noLocks get { 64 } }

    /// Creates an engine without input.
    ///
    /// - Parameters:
    ///   - channelCount: The number of channels, which share one map of peaks and one list of
    ///     attacks.
    ///   - lengths: The lengths of windows, hops and attacks.
    ///   - ringFrames: The maximum distance, in frames, that the engine may be moved back in its
    ///     ring.
    public init(channelCount: Int, lengths: StretchLengths, ringFrames: Int) {
        self.channelCount = channelCount
        self.lengths = lengths
        transform = RealTransform(size: lengths.transformFrames)
        windows = StretchWindows(transformFrames: lengths.transformFrames)
        memory = StretchMemory(
            transformFrames: lengths.transformFrames, channelCount: channelCount)
        peaks = SpectralPeaks(bins: transform.bins, stride: memory.stride)
        closePartials = ClosePartials(bins: transform.bins, stride: memory.stride)
        levels = OverlapLevels(
            windows: windows, hopFrames: lengths.hopFrames, stride: memory.stride)
        slots = AttackSlots(lengths: lengths, channelCount: channelCount)
        scan = AttackScan(lengths: lengths, ringFrames: ringFrames)
        lifter = AttackLifter(lengths: lengths, channelCount: channelCount)
        readyStride = StretchEngine.pastFrames + 4 * lengths.hopFrames
        ready = Buffer(count: channelCount * readyStride, repeating: 0)
    }

    /// The distance from a vocoder frame's first output frame to its centre.
    public var centreLeadFrames: Int { @_noLocks get { lengths.transformFrames / 2 } }

    /// Whether the next call of `advance` begins a hop; call `plan` first.
    public var isAtHopStart: Bool { @_noLocks get { stage == 0 } }

    /// The number of output frames for which the work is done, counting the finished stages of this
    /// hop.
    public var progressFrames: Int {
        @_noLocks get { madeFrames + stage * lengths.hopFrames / StretchLengths.stageCount }
    }

    /// Resets all state and centres the next vocoder frame on an input frame.
    ///
    /// - Parameters:
    ///   - inputFrame: The input frame under the centre.
    ///   - firstScannedFrame: The ring frame from which to search for attacks.
    @_noLocks
    public mutating func reset(inputFrame: Double, firstScannedFrame: Int = 0) {
        slots.reset()
        scan.reset(firstFrame: firstScannedFrame)
        lifter.abandon()
        memory.reset()
        rt_clear(ready.start, Int64(ready.count))
        stage = 0
        addedChannels = 0
        madeFrames = 0
        bandShare = 1
        window = 0
        change = 0
        start(at: inputFrame)
    }

    /// Continues from another input frame; the overlap of the vocoder frames makes the crossfade.
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

    /// Searches the new frames of the ring for attacks and lifts the next ones; call it once per
    /// step.
    @_noLocks
    public mutating func prepare(_ ring: borrowing CaptureRing) {
        scan.scan(ring)
        lifter.step(
            ring, scan: scan, slots: slots,
            unreadFrame: unreadFrame,
            horizonFrames: 4 * lengths.hopFrames + lengths.lookaheadFrames, bandShare: bandShare)
    }

    /// Plans the hop that begins.
    ///
    /// - Parameters:
    ///   - advanceFrames: The distance to advance along the input, at least 0; `hopFrames` is
    ///     rate 1.
    ///   - mayAlign: Whether a return to rate 1 may move a little along the input.
    @_noLocks
    public mutating func plan(advanceFrames: Double, mayAlign: Bool) {
        hop.advanceFrames = advanceFrames
        hop.anchorSlot = -1
        if advanceFrames == Double(lengths.hopFrames) {
            planSteady(mayAlign: mayAlign)
        } else {
            planMoving()
        }
    }

    /// Performs the next stage of a hop's work: an eighth, as closely as the size of its parts
    /// allows.
    @_noLocks
    public mutating func advance(_ ring: borrowing CaptureRing) {
        if stage == 0 {
            work = .first(of: hop.kind)
            workDone = 0
            workTotal = StretchWork.cost(of: hop.kind, channelCount: channelCount)
        }
        stage += 1
        let isLast = stage == StretchLengths.stageCount
        // A part belongs to a stage if at least two fifths of the part still fit.
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
    private mutating func perform(_ work: StretchWork, _ ring: borrowing CaptureRing) {
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

extension StretchEngine {
    /// Moves along the input to the position where its phases match the output best, so that the
    /// return to rate 1 leaves no dip in level.
    @_noLocks
    mutating func land() {
        let likeness = memory.frame(0)
        transform.inverse(
            real: memory.match.real, imaginary: memory.match.imaginary, output: likeness)
        let count = lengths.transformFrames
        var best = 0
        for step in -lengths.alignmentFrames...lengths.alignmentFrames
        where likeness[(count - step) % count] > likeness[(count - best) % count] {
            best = step
        }
        inputFrame += Double(best)
        hop.centreFrame += best
        alignmentFrames = best
    }

    /// Rotates the match with the input to account for the distance moved along the input.
    @_noLocks
    func delayMatch() {
        var rotor = Rotor()
        rotor.setStep(
            radians: -2 * Double.pi * Double(alignmentFrames) / Double(lengths.transformFrames))
        let match = memory.match.array
        for bin in 0..<transform.bins {
            let (cosine, sine) = rotor.next()
            let (real, imaginary) = (Double(match.real[bin]), Double(match.imaginary[bin]))
            match.real[bin] = Float(real * cosine - imaginary * sine)
            match.imaginary[bin] = Float(real * sine + imaginary * cosine)
        }
    }
}
