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

    /// What was measured.
    struct Figures {
        /// The largest step beside what the law allows, in %.
        var stepPercent: Double
        /// Energy outside the sound's band in dB of the sound.
        var outOfBand: Double
        /// What the law's own crossfade, or either sound by itself, has there.
        var lawful: Double
    }

    /// Plays it thrice: without the change, with the change, and as if it had always been so.
    func measure() throws -> Figures {
        let silence = [Float](repeating: 0, count: changeFrame + Self.heardFrames)
        let old = change.isStart ? silence : try play(change.before, changes: false)
        let new = try change.after.map { try play([$0], changes: false) } ?? silence
        let heard = try play(change.before, changes: true)
        let range = changeFrame - Self.leadFrames..<heard.count
        return Comparison(
            old: Array(old[range]), new: Array(new[range]), heard: Array(heard[range]),
            changeFrame: Self.leadFrames, law: change.law, overlaps: change.overlaps,
            dips: change.dips, sampleRate: material.sampleRate
        ).figures(band: band)
    }

    private func play(_ texts: [String], changes: Bool) throws -> [Float] {
        let rehearsal = try Rehearsal(
            texts, material, blockFrames: blockFrames, fadesIn: changes && change.isStart)
        let last = firstFrame + changeFrame + Self.heardFrames
        return try rehearsal.play(
            sound.samples[firstFrame..<last], listeningTo: change.slot, changingAt: changeFrame
        ) { if changes { try change.make(in: rehearsal) } }
    }

    /// Where the sound is before, after and on the way.
    private var band: ClosedRange<Double> {
        let (one, two) = (change.ratios.before, change.ratios.after)
        return sound.band(movedBy: min(one, two)...max(one, two))
    }
}
