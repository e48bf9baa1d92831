internal import CRealtime
internal import DSP

/// What is asked of a voice, as ratios.
struct VoiceTarget: BitwiseCopyable {
    /// Output pitch over input pitch.
    let ratio: Double
    /// Frames of the input a frame within a grain: where the formants go.
    let speed: Double

    /// The slowest and the fastest that a grain is read.
    static var slowest: Double { @_noLocks get { 0.25 } }
    static var fastest: Double { @_noLocks get { 4 } }

    @_noLocks
    init(ratio: Double, speed: Double) {
        self.ratio = ratio
        // Rounding may leave a hair of what two controls undo of each other.
        self.speed =
            abs(speed - 1) < 1e-6 ? 1 : min(max(speed, VoiceTarget.slowest), VoiceTarget.fastest)
    }

    /// Whether nothing is to change.
    var isIdentity: Bool { @_noLocks get { ratio == 1 && speed == 1 } }
}

/// Decides which grains follow each other, and when the input passes as it is.
///
/// A voice sounds as grains of two periods, spaced by the new period. What is not voiced passes as it is, or, where the formants
/// move, as grains of a fixed length. Each grain's left half completes the right half of what came before.
struct GrainChain: BitwiseCopyable {
    /// What sounds.
    enum Kind { case dry, voiced, unvoiced }

    // SAFETY: the place lives from `init` through `deallocate`, which the owner calls at its own end.
    private let grains: UnsafeMutablePointer<VoiceGrain>
    private var grainCount = 0
    /// The unvoiced sound's path, and how it fades.
    private(set) var dry: DelayedInput
    var kind = Kind.dry
    /// The last grain that was decided on.
    var latest = GrainPlan(
        centre: 0, mark: 0, leftFrames: 1, rightFrames: 1, speed: 1, gain: 1)
    let stepFrames: Int

    /// Two octaves up with the slowest grains, 36 pairs sound at once.
    private static var limit: Int { @_noLocks get { 96 } }

    init(stepFrames: Int) {
        self.stepFrames = stepFrames
        dry = DelayedInput(delayFrames: stepFrames * 9 / 2)
        grains = .allocate(capacity: GrainChain.limit)
    }

    func deallocate() { grains.deallocate() }

    /// Half the length of a grain of unvoiced sound.
    var unvoicedFrames: Double { @_noLocks get { Double(3 * stepFrames) } }

    @_noLocks
    mutating func reset() {
        grainCount = 0
        kind = .dry
        dry.reset()
    }

    /// Writes what sounds of a channel in a chunk.
    @_noLocks
    func sound(in chunk: GrainChunk, history: VoiceHistory, channel: Int) {
        dry.begin(chunk, history: history, channel: channel)
        for index in 0..<grainCount {
            grains[index].add(to: chunk, history: history, channel: channel)
        }
    }

    /// Decides on all grains that start within the step that begins now.
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

// How one grain follows another.
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
        (grains + grainCount).initialize(to: grain)
        grainCount += 1
    }

    /// The first grain: what it sounds is what the dry path would, so that nothing is heard of the change.
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

    /// The first time from another on when the dry path sounds a mark.
    @_noLocks
    func alignedTime(after time: Double, marks: PeriodMarks) -> Double {
        let delay = Double(dry.delayFrames)
        return marks.last(before: time - delay) + marks.periodFrames + delay
    }
}
