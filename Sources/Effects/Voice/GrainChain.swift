internal import CRealtime
internal import DSP
internal import Realtime

/// The transposition of a voice, as ratios.
struct VoiceTarget: BitwiseCopyable {
    /// Output pitch over input pitch.
    let ratio: Double
    /// Input frames per output frame within a grain: the shift of the formants.
    let speed: Double
    /// The period of the input in frames, if its quotient with the ratio is exactly the period
    /// that must be heard; `nil` to move the marks' period by the ratio.
    let sourceFrames: Double?

    /// The slowest and the fastest speed within a grain.
    static var slowest: Double { @_noLocks get { 0.25 } }
    static var fastest: Double { @_noLocks get { 4 } }

    @_noLocks
    init(ratio: Double, speed: Double, sourceFrames: Double? = nil) {
        self.ratio = ratio
        self.sourceFrames = sourceFrames
        // Two controls that cancel each other may leave a rounding error.
        self.speed =
            abs(speed - 1) < 1e-6 ? 1 : min(max(speed, VoiceTarget.slowest), VoiceTarget.fastest)
    }

    /// Whether the voice stays unchanged.
    var isIdentity: Bool { @_noLocks get { ratio == 1 && speed == 1 } }
}

/// Decides which grains follow each other, and when the input passes unchanged.
///
/// A voice is played as grains of two periods, spaced by the new period. Unvoiced sound passes
/// unchanged or, if the formants move, as grains of a fixed length. Each grain's left half
/// complements the right half of the previous one.
struct GrainChain: ~Copyable {
    /// The current kind of output.
    enum Kind { case dry, voiced, unvoiced }

    private let grains: Buffer<VoiceGrain>
    private let readers = FastReaders()
    private var grainCount = 0
    /// The path of unvoiced sound, with its fade.
    private(set) var dry: DelayedInput
    var kind = Kind.dry
    /// The latest planned grain.
    var latest = GrainPlan(
        centre: 0, mark: 0, leftFrames: 1, rightFrames: 1, speed: 1, gain: 1)
    let stepFrames: Int
    /// Whether unvoiced sound passes unchanged although formants move.
    private let passesUnvoiced: Bool

    /// The most grains at once: two octaves up with the slowest grains, 36 pairs overlap.
    private static var limit: Int { @_noLocks get { 96 } }

    init(stepFrames: Int, passesUnvoiced: Bool = false) {
        self.stepFrames = stepFrames
        self.passesUnvoiced = passesUnvoiced
        dry = DelayedInput(delayFrames: stepFrames * 9 / 2)
        grains = Buffer(count: GrainChain.limit, repeating: VoiceGrain(latest, reader: nil))
    }

    /// Half the length of a grain of unvoiced sound, in frames.
    private var unvoicedFrames: Double { @_noLocks get { Double(3 * stepFrames) } }

    @_noLocks
    mutating func reset() {
        grainCount = 0
        kind = .dry
        dry.reset()
    }

    /// The number of words of `note`.
    static var noteWords: Int { 1 + GrainPlan.noteWords + DelayedInput.noteWords }

    /// Writes the latest plan; the grains themselves end soon.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(kind == .dry ? 0 : kind == .voiced ? 1 : 2)
        latest.note(to: notes)
        dry.note(to: notes)
    }

    /// Continues after a noted plan.
    ///
    /// - Parameters:
    ///   - notes: The notes.
    ///   - keepsGrains: Whether the grains are from the same time.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>, keepsGrains: Bool) {
        let number = notes.pointee.pop(from: 0, through: 2)
        kind = number == 0 ? .dry : number == 1 ? .voiced : .unvoiced
        latest.follow(notes)
        dry.follow(notes)
        if !keepsGrains { grainCount = 0 }
    }

    /// Writes a chunk of a channel.
    @_noLocks
    func render(_ chunk: GrainChunk, history: borrowing VoiceHistory, channel: Int) {
        renderUnpitched(chunk, history: history, channel: channel)
        renderGrains(chunk, history: history, channel: channel)
    }

    /// Writes the part of a chunk that passes unchanged.
    @_noLocks
    func renderUnpitched(_ chunk: GrainChunk, history: borrowing VoiceHistory, channel: Int) {
        dry.begin(chunk, history: history, channel: channel)
    }

    /// Adds the grains of a chunk.
    @_noLocks
    func renderGrains(_ chunk: GrainChunk, history: borrowing VoiceHistory, channel: Int) {
        for index in 0..<grainCount {
            grains[index].add(to: chunk, history: history, channel: channel)
        }
    }

    /// Plans all grains that start within the next step.
    @_noLocks
    mutating func plan(
        from now: Int, isVoiced: Bool, marks: borrowing PeriodMarks, target: VoiceTarget
    ) {
        dropEnded(by: now)
        dry.settle(by: now)
        let wanted: Kind =
            target.isIdentity
            ? .dry : isVoiced ? .voiced : target.speed == 1 || passesUnvoiced ? .dry : .unvoiced
        if kind == .dry {
            if wanted != .dry && dry.endFrame <= now {
                open(wanted, at: Double(now), marks: marks, target: target)
            }
            guard kind != .dry else { return }
        }
        let end = Double(now + stepFrames)
        while kind != .dry {
            let next = successor(wanted, at: Double(now), marks: marks, target: target)
            guard next.centre - next.leftFrames < end else { return }
            append(next, as: wanted)
        }
    }
}

// Planning one grain after another.
extension GrainChain {
    @_noLocks
    private mutating func dropEnded(by now: Int) {
        var kept = 0
        for index in 0..<grainCount where grains[index].endFrame > now {
            grains[kept] = grains[index]
            kept += 1
        }
        grainCount = kept
    }

    /// Adds a planned grain, and fades the dry path if the grain follows or precedes it.
    @_noLocks
    private mutating func append(_ plan: GrainPlan, as wanted: Kind) {
        var plan = plan
        let reader = readers.reader(speed: plan.speed)
        plan.keepCausal(reader)
        let grain = VoiceGrain(plan, reader: reader)
        if plan.nextShare < 1 { add(VoiceGrain(plan.own, reader: reader)) }
        if plan.nextShare > 0 { add(VoiceGrain(plan.next, reader: reader)) }
        if wanted == .dry { dry.fade(with: grain, isRising: true) }
        if kind == .dry { dry.fade(with: grain, isRising: false) }
        latest = plan
        kind = wanted
    }

    @_noLocks
    private mutating func add(_ grain: VoiceGrain) {
        guard grainCount < GrainChain.limit else { return }
        grains[grainCount] = grain
        grainCount += 1
    }

    /// Plans the first grain.
    ///
    /// It plays the same sound as the dry path, so that the change is inaudible.
    @_noLocks
    private mutating func open(
        _ wanted: Kind, at now: Double, marks: borrowing PeriodMarks, target: VoiceTarget
    ) {
        var plan = GrainPlan(
            centre: now + unvoicedFrames, mark: 0, leftFrames: unvoicedFrames,
            rightFrames: unvoicedFrames, speed: target.speed, gain: 1)
        if wanted == .voiced {
            let soonest = now + Double(stepFrames / 4)
            plan.centre = alignedTime(after: soonest, marks: marks)
            // The new periods may follow the mark that the dry path played last, so that a higher
            // voice starts up to a period earlier.
            let played = plan.centre - marks.periodFrames
            let hop = marks.periodFrames / target.ratio
            let early = played + rt_ceil((soonest - played) / hop) * hop
            if early < plan.centre {
                latest.centre = early - hop
                return append(
                    voiced(at: now, marks: marks, target: target, followsMark: true), as: wanted)
            }
            plan.leftFrames = plan.centre - now
            plan.rightFrames = halfFrames(marks, target)
        }
        plan.mark = plan.centre - Double(dry.delayFrames)
        append(plan, as: wanted)
    }

    /// Returns the first time after `time` at which the dry path plays a mark.
    @_noLocks
    func alignedTime(after time: Double, marks: borrowing PeriodMarks) -> Double {
        let delay = Double(dry.delayFrames)
        return marks.last(before: time - delay) + marks.periodFrames + delay
    }
}

// Planning the grain after the latest one.
extension GrainChain {
    /// Returns the plan of the grain after the latest one.
    @_noLocks
    func successor(
        _ wanted: Kind, at now: Double, marks: borrowing PeriodMarks, target: VoiceTarget
    ) -> GrainPlan {
        switch wanted {
        case .voiced: voiced(at: now, marks: marks, target: target)
        case .unvoiced: unvoiced(at: now, speed: target.speed)
        case .dry: closing(at: now, marks: marks, target: target)
        }
    }

    @_noLocks
    private func unvoiced(at now: Double, speed: Double) -> GrainPlan {
        let hop = kind == .voiced ? latest.rightFrames : unvoicedFrames
        let centre = max(latest.centre + hop, now + 1)
        return GrainPlan(
            centre: centre, mark: centre - Double(dry.delayFrames),
            leftFrames: min(hop, centre - now), rightFrames: unvoicedFrames, speed: speed, gain: 1)
    }

    @_noLocks
    private func voiced(
        at now: Double, marks: borrowing PeriodMarks, target: VoiceTarget,
        followsMark: Bool = false
    ) -> GrainPlan {
        let period = marks.periodFrames
        let half = halfFrames(marks, target)
        let followsMark = followsMark || kind == .voiced
        let source = target.sourceFrames ?? period
        let hop = followsMark ? source / target.ratio : latest.rightFrames
        let centre = max(latest.centre + hop, now + 1)
        let blend = GrainChain.blend(ratio: target.ratio)
        // The mark is far enough back that a grain at another speed does not overtake the input. A
        // little more reduces prediction.
        let wait =
            GrainPlan.marginFrames(readers.reader(speed: target.speed)) + (0.25 + 0.75 * blend)
            * period
            + half * abs(target.speed - 1)
        let mark = kept(marks.last(before: centre - wait), periodFrames: period)
        var plan = GrainPlan(
            centre: centre, mark: mark,
            leftFrames: min(followsMark ? half : hop, centre - now), rightFrames: half,
            speed: target.speed, gain: rt_sqrt(target.speed / target.ratio))
        if blend > 0 {
            let phase = (centre - wait - mark) / period
            plan.nextShare = min(max(1 + (phase - 1) / blend, 0), 1)
            let isSame = kind == .voiced && latest.nextShare > 0 && mark == latest.mark
            plan.nextMark = isSame ? latest.nextMark : marks.last(before: mark + 1.5 * period)
        }
        if kind == .voiced, let source = target.sourceFrames {
            plan.follow(latest, periodFrames: source, now: now)
        }
        return plan
    }

    /// Returns the mark at its previous position if it was played before.
    ///
    /// Otherwise a repeated period would differ from its first pass, and each pair would be heard
    /// as one period, an octave lower.
    @_noLocks
    private func kept(_ mark: Double, periodFrames: Double) -> Double {
        guard kind == .voiced else { return mark }
        if abs(mark - latest.mark) < 0.5 * periodFrames { return latest.mark }
        let isNext = latest.nextShare > 0 && abs(mark - latest.nextMark) < 0.5 * periodFrames
        return isNext ? latest.nextMark : mark
    }

    /// Returns the share of a period that is used for the transition to the next: 0 up to five
    /// semitones, 1 from nine.
    ///
    /// If periods were simply repeated, each pair of equal ones would be heard as one period of a
    /// gliding voice.
    @_noLocks
    private static func blend(ratio: Double) -> Double {
        min(max((ratio - 1.335) / 0.34, 0), 1)
    }

    /// Returns the plan of the last grain, which plays the same sound as the dry path will.
    @_noLocks
    private func closing(at now: Double, marks: borrowing PeriodMarks, target: VoiceTarget)
        -> GrainPlan
    {
        var centre = max(latest.centre + latest.rightFrames, now + 1)
        if kind == .voiced && target.isIdentity {
            centre = alignedTime(
                after: max(latest.centre + 0.5 * marks.periodFrames, now + 1), marks: marks)
        }
        return GrainPlan(
            centre: centre, mark: centre - Double(dry.delayFrames),
            leftFrames: min(max(latest.rightFrames, centre - latest.centre), centre - now),
            rightFrames: unvoicedFrames, speed: 1, gain: 1)
    }

    /// Returns the length of half a voiced grain: one period, or a little less if the pitch moves,
    /// to preserve the formants better.
    @_noLocks
    func halfFrames(_ marks: borrowing PeriodMarks, _ target: VoiceTarget) -> Double {
        let ratio = target.ratio
        // From two semitones, the half is shorter by a tenth.
        let distance = abs(ratio > 1 ? ratio - 1 : 1 / ratio - 1) / 0.122_462
        return marks.periodFrames * (1 - 0.1 * min(1, distance)) / target.speed
    }
}
