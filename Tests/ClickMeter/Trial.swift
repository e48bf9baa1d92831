import Show

/// One change at one time in one sound, and what was heard of it.
struct Trial {
    let change: Change
    let sound: Sound
    let material: Material
    let blockFrames: Int
    /// Where the part that is played begins, and how many frames later the change is made.
    let firstFrame: Int
    let changeFrame: Int

    /// Frames that are heard after the change.
    static let heardFrames = 48_000
    /// The part before the change that is looked at as well.
    private static let leadFrames = 8_192

    /// How long the sound takes to begin, some time before the change.
    private static let swellSeconds = 0.2

    /// What was measured.
    struct Figures {
        /// The largest step beside what the law allows, in %.
        var stepPercent: Double
        /// Energy outside the sound's band in dB of the sound.
        var outOfBand: Double
        /// What the law's own crossfade, or either sound by itself, has there.
        var lawful: Double
    }

    /// Plays it with the change, without it, as if it had always been so, and as the law would have it.
    func measure() throws -> Figures {
        let silence = [Float](repeating: 0, count: changeFrame + Self.heardFrames)
        let old = change.isStart ? silence : try play(change.before)
        let new = try change.after.map { try play([$0]) } ?? silence
        let heard = change.isStart ? try playStart() : try play(change.before, change.make)
        let first = changeFrame - Self.leadFrames
        return Comparison(
            old: Array(old[first...]), new: Array(new[first...]),
            lawful: try lawfulSounds(old, new).map { Array($0[first...]) },
            heard: Array(heard[first...]), changeFrame: Self.leadFrames, change: change,
            sampleRate: material.sampleRate
        ).figures(band: band)
    }

    /// One sound in the place of the other; where nodes come and go, what leaves hears a sound that
    /// fades, what comes one that swells.
    private func lawfulSounds(_ old: [Float], _ new: [Float]) throws -> [[Float]] {
        let rate = material.sampleRate
        let both = change.law.crossfade(old, new, from: changeFrame, sampleRate: rate)
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
        _ texts: [String], _ make: (Rehearsal) throws -> Void = { _ in },
        level: (Int) -> Float = { _ in 1 }
    ) throws -> [Float] {
        let rehearsal = try Rehearsal(
            texts, material, blockFrames: blockFrames, fadesIn: false)
        let begin = Law(shape: .smooth, seconds: Self.swellSeconds)
        // The first sound must not be an edge that echoes repeat.
        let heard = (0..<changeFrame + Self.heardFrames).map { frame in
            sound.samples[firstFrame + frame] * level(frame)
                * begin.share(atFrame: frame, sampleRate: material.sampleRate)
        }
        return try rehearsal.play(heard, listeningTo: change.slot, changingAt: changeFrame) {
            try make(rehearsal)
        }
    }

    /// What is heard where it begins to play in the middle of the sound.
    private func playStart() throws -> [Float] {
        let rehearsal = try Rehearsal(
            change.before, material, blockFrames: blockFrames, fadesIn: true)
        let first = firstFrame + changeFrame
        return try [Float](repeating: 0, count: changeFrame)
            + rehearsal.play(
                Array(sound.samples[first..<first + Self.heardFrames]),
                listeningTo: change.slot, changingAt: 0
            ) { try change.make(in: rehearsal) }
    }

    /// Where the sound is before, after and on the way, and where a voice's shifter finds no voice.
    private var band: ClosedRange<Double> {
        let (one, two) = (change.ratios.before, change.ratios.after)
        return sound.band(movedBy: min(1, one, two)...max(1, one, two))
    }
}
