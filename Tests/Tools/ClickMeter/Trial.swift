import SessionCore

/// One change at one time in one sound, and its measurement.
struct Trial {
    let change: Change
    let sound: Sound
    let material: Material
    let blockFrames: Int
    /// The first frame of the section that is played, and the number of frames from there to the
    /// change.
    let firstFrame: Int
    let changeFrame: Int

    /// The number of frames rendered after the change.
    static let heardFrames = 48_000
    /// The number of measured frames before the change.
    private static let leadFrames = 8_192

    /// The length of the sound's fade-in, which ends well before the change.
    private static let swellSeconds = 0.2

    /// The measured figures.
    struct Figures {
        /// The largest step in percent of the largest step that the law allows.
        var stepPercent: Double
        /// The energy outside the sound's band, in dB relative to the sound.
        var outOfBand: Double
        /// The same for the law's own crossfade or either sound alone, whichever is greater.
        var lawful: Double
    }

    /// Renders the sound with the change, without it, in the new state throughout, and as the law
    /// demands.
    func measure() throws -> Figures {
        let silence = [Float](repeating: 0, count: changeFrame + Self.heardFrames)
        let old = change.isStart ? silence : try play(change.before)
        let new = try change.after.map { try play([$0]) } ?? silence
        let stage = change.stage.map { [$0] } ?? change.before
        let heard =
            change.isStart
            ? try playStart() : try play(stage, preparing: change.preparation, change.make)
        let first = changeFrame - Self.leadFrames
        return Comparison(
            old: Array(old[first...]), new: Array(new[first...]),
            lawful: try lawfulSounds(old, new).map { Array($0[first...]) },
            heard: Array(heard[first...]), changeFrame: Self.leadFrames, change: change,
            sampleRate: material.sampleRate
        ).figures(band: band)
    }

    /// Returns the crossfaded sounds that the law allows.
    ///
    /// If nodes come and go, the old nodes' input fades out and the new nodes' input fades in.
    private func lawfulSounds(_ old: [Float], _ new: [Float]) throws -> [[Float]] {
        let rate = material.sampleRate
        let both = change.law.crossfade(
            old, new, from: changeFrame - change.earlyFrames, sampleRate: rate)
        guard change.overlaps || change.dips else { return [both] }
        let gone =
            change.isStart
            ? old
            : try play(
                change.before,
                level: {
                    1 - change.law.share(atFrame: $0 - changeFrame, sampleRate: rate)
                })
        let back = try change.after.map {
            try play([$0], level: { change.law.share(atFrame: $0 - changeFrame, sampleRate: rate) })
        }
        let singles = try change.singles.map { address, value in
            var single = change
            single.way = .set([(address, value)])
            return try play(change.before) { try single.make(in: $0) }
        }
        return (change.overlaps ? [both] : []) + [gone, back ?? new] + singles
    }

    private func play(
        _ texts: [String], preparing preparation: [(framesBefore: Int, address: String)] = [],
        _ make: (Rehearsal) throws -> Void = { _ in },
        level: (Int) -> Float = { _ in 1 }
    ) throws -> [Float] {
        let rehearsal = try Rehearsal(
            texts, material.around(change.outer), blockFrames: blockFrames, fadesIn: false)
        let begin = Law(shape: .smooth, seconds: Self.swellSeconds)
        // The sound must not start abruptly, because echoes would repeat the edge.
        let heard = (0..<changeFrame + Self.heardFrames).map { frame in
            sound.samples[firstFrame + frame] * level(frame)
                * begin.share(atFrame: frame, sampleRate: material.sampleRate)
        }
        let cues = preparation.map { step in
            Rehearsal.Cue(frame: changeFrame - step.framesBefore) {
                try change.prepare(step.address, in: rehearsal)
            }
        }
        return try rehearsal.play(
            heard, listeningTo: change.slot, cues: cues, changingAt: changeFrame
        ) {
            try make(rehearsal)
        }
    }

    /// Returns the output of a session that starts in the middle of the sound.
    private func playStart() throws -> [Float] {
        let rehearsal = try Rehearsal(
            change.before, material.around(change.outer), blockFrames: blockFrames, fadesIn: true)
        let first = firstFrame + changeFrame
        return try [Float](repeating: 0, count: changeFrame)
            + rehearsal.play(
                Array(sound.samples[first..<first + Self.heardFrames]),
                listeningTo: change.slot, changingAt: 0
            ) { try change.make(in: rehearsal) }
    }

    /// The band of the sound before, during and after the change, including when a pitch shifter
    /// finds no pitch.
    private var band: ClosedRange<Double> {
        let (one, two) = (change.ratios.before, change.ratios.after)
        return sound.band(movedBy: min(1, one, two)...max(1, one, two))
    }
}
