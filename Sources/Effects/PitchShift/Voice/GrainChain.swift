internal import CRealtime
internal import DSP
internal import Realtime

/// The transposition of a voice, as ratios.
struct VoiceTarget: BitwiseCopyable {
    /// Output pitch over input pitch.
    let ratio: Double
    /// Input frames per output frame within a grain: the shift of the formants.
    let speed: Double

    /// The slowest and the fastest speed within a grain.
    static var slowest: Double { @_noLocks get { 0.25 } }
    static var fastest: Double { @_noLocks get { 4 } }

    @_noLocks
    init(ratio: Double, speed: Double) {
        self.ratio = ratio
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
    /// The present kind of output.
    enum Kind { case dry, voiced, unvoiced }

    private let grains: Buffer<VoiceGrain>
    private var grainCount = 0
    /// The path of unvoiced sound, with its fade.
    private(set) var dry: DelayedInput
    var kind = Kind.dry
    /// The latest planned grain.
    var latest = GrainPlan(
        centre: 0, mark: 0, leftFrames: 1, rightFrames: 1, speed: 1, gain: 1)
    let stepFrames: Int

    /// The most grains at once: two octaves up with the slowest grains, 36 pairs overlap.
    private static var limit: Int { @_noLocks get { 96 } }

    init(stepFrames: Int) {
        self.stepFrames = stepFrames
        dry = DelayedInput(delayFrames: stepFrames * 9 / 2)
        grains = Buffer(count: GrainChain.limit, repeating: VoiceGrain(latest))
    }

    /// Half the length of a grain of unvoiced sound, in frames.
    var unvoicedFrames: Double { @_noLocks get { Double(3 * stepFrames) } }

    @_noLocks
    mutating func reset() {
        grainCount = 0
        kind = .dry
        dry.reset()
    }

    /// Writes a chunk of a channel.
    @_noLocks
    func render(_ chunk: GrainChunk, history: borrowing VoiceHistory, channel: Int) {
        dry.begin(chunk, history: history, channel: channel)
        for index in 0..<grainCount {
            grains[index].add(to: chunk, history: history, channel: channel)
        }
    }

    /// Plans all grains that start within the next step.
    @_noLocks
    mutating func plan(from now: Int, isVoiced: Bool, marks: PeriodMarks, target: VoiceTarget) {
        dropEnded(by: now)
        dry.settle(by: now)
        let wanted: Kind =
            target.isIdentity ? .dry : isVoiced ? .voiced : target.speed == 1 ? .dry : .unvoiced
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

    @_noLocks
    private mutating func append(_ plan: GrainPlan, as wanted: Kind) {
        var plan = plan
        plan.keepCausal()
        let grain = VoiceGrain(plan)
        if plan.nextShare < 1 { add(VoiceGrain(plan.own)) }
        if plan.nextShare > 0 { add(VoiceGrain(plan.next)) }
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
        _ wanted: Kind, at now: Double, marks: PeriodMarks, target: VoiceTarget
    ) {
        var plan = GrainPlan(
            centre: now + unvoicedFrames, mark: 0, leftFrames: unvoicedFrames,
            rightFrames: unvoicedFrames, speed: target.speed, gain: 1)
        if wanted == .voiced {
            let soonest = now + Double(stepFrames / 4)
            plan.centre = alignedTime(after: soonest, marks: marks)
            plan.leftFrames = plan.centre - now
            plan.rightFrames = halfFrames(marks, target)
        }
        plan.mark = plan.centre - Double(dry.delayFrames)
        append(plan, as: wanted)
    }

    /// Returns the first time after `time` at which the dry path plays a mark.
    @_noLocks
    func alignedTime(after time: Double, marks: PeriodMarks) -> Double {
        let delay = Double(dry.delayFrames)
        return marks.last(before: time - delay) + marks.periodFrames + delay
    }
}
