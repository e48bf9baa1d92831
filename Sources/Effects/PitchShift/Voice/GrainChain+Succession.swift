internal import CRealtime
internal import DSP

// Which grain follows the latest.
extension GrainChain {
    /// The grain after the latest.
    @_noLocks
    func successor(
        _ wanted: Kind, at now: Double, marks: PeriodMarks, target: VoiceTarget
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
    private func voiced(at now: Double, marks: PeriodMarks, target: VoiceTarget) -> GrainPlan {
        let period = marks.periodFrames
        let half = halfFrames(marks, target)
        let hop = kind == .voiced ? period / target.ratio : latest.rightFrames
        let centre = max(latest.centre + hop, now + 1)
        let blend = GrainChain.blend(ratio: target.ratio)
        // The mark lies back by what a grain read at another speed must not overtake, and a little, so that less is predicted.
        let wait =
            GrainPlan.marginFrames + (0.25 + 0.75 * blend) * period
            + half * abs(target.speed - 1)
        let mark = kept(marks.last(before: centre - wait), periodFrames: period)
        var plan = GrainPlan(
            centre: centre, mark: mark,
            leftFrames: min(kind == .voiced ? half : hop, centre - now), rightFrames: half,
            speed: target.speed, gain: rt_sqrt(target.speed / target.ratio))
        if blend > 0 {
            let phase = (centre - wait - mark) / period
            plan.nextShare = min(max(1 + (phase - 1) / blend, 0), 1)
            let isSame = kind == .voiced && latest.nextShare > 0 && mark == latest.mark
            plan.nextMark = isSame ? latest.nextMark : marks.last(before: mark + 1.5 * period)
        }
        return plan
    }

    /// A mark where it was when it sounded last: else a period that sounds twice would not sound the same, and each pair be heard
    /// as one period, an octave down.
    @_noLocks
    private func kept(_ mark: Double, periodFrames: Double) -> Double {
        guard kind == .voiced else { return mark }
        if abs(mark - latest.mark) < 0.5 * periodFrames { return latest.mark }
        let isNext = latest.nextShare > 0 && abs(mark - latest.nextMark) < 0.5 * periodFrames
        return isNext ? latest.nextMark : mark
    }

    /// How much of a period is taken to go from one to the next: none up to five semitones, all from nine on.
    ///
    /// Where periods sound twice or more, each pair of equal ones would be heard as one period of a voice that moves.
    @_noLocks
    private static func blend(ratio: Double) -> Double {
        min(max((ratio - 1.335) / 0.34, 0), 1)
    }

    /// The last grain: what it sounds is what the dry path will.
    @_noLocks
    private func closing(at now: Double, marks: PeriodMarks, target: VoiceTarget) -> GrainPlan {
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

    /// Half of a voiced grain: a period, a little less where the pitch moves, as that keeps formants truer.
    @_noLocks
    func halfFrames(_ marks: PeriodMarks, _ target: VoiceTarget) -> Double {
        let ratio = target.ratio
        // A tenth less from two semitones on.
        let distance = abs(ratio > 1 ? ratio - 1 : 1 / ratio - 1) / 0.122_462
        return marks.periodFrames * (1 - 0.1 * min(1, distance)) / target.speed
    }
}
