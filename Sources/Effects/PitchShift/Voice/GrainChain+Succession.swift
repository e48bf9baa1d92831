internal import CRealtime
internal import DSP

// Planning the grain after the latest one.
extension GrainChain {
    /// Returns the plan of the grain after the latest one.
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
        // The mark is far enough back that a grain at another speed does not overtake the input. A
        // little more reduces prediction.
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

    /// Returns the length of half a voiced grain: one period, or a little less if the pitch moves,
    /// to preserve the formants better.
    @_noLocks
    func halfFrames(_ marks: PeriodMarks, _ target: VoiceTarget) -> Double {
        let ratio = target.ratio
        // From two semitones, the half is shorter by a tenth.
        let distance = abs(ratio > 1 ? ratio - 1 : 1 / ratio - 1) / 0.122_462
        return marks.periodFrames * (1 - 0.1 * min(1, distance)) / target.speed
    }
}
