import Glibc

/// A sound with a change, together with the sounds before and after.
struct Comparison {
    /// The sound without the change, and the sound if the new state had always been active.
    let old: [Float]
    let new: [Float]
    /// The sounds that the law allows as the transition.
    let lawful: [[Float]]
    let heard: [Float]
    let changeFrame: Int
    let change: Change
    let sampleRate: Double

    /// The number of frames that are judged together.
    private static let pieceFrames = 1024
    /// The threshold of audibility: -100 dB.
    private static let minimumStep: Float = 1e-5

    func figures(band: ClosedRange<Double>) -> Trial.Figures {
        let spectrum = Spectrum(sampleRate: sampleRate)
        let loudest = max(spectrum.loudest(old), spectrum.loudest(new))
        func outside(_ sound: [Float]) -> Double {
            10 * log10(max(1e-20, spectrum.maximumOutside(band, of: sound) / max(loudest, 1e-20)))
        }
        return Trial.Figures(
            stepPercent: 100 * Double(worstStep()), outOfBand: outside(heard),
            lawful: ([old, new] + lawful).map(outside).max() ?? 0)
    }

    /// Returns the largest step relative to the largest step that the law allows there.
    private func worstStep() -> Float {
        let pieces = heard.count / Self.pieceFrames
        let slope = change.law.steepest(sampleRate: sampleRate) * Float(change.valueCount)
        let allowed = (0..<pieces).map { piece in
            let steps = ([old, new] + lawful).map { largestStep($0, piece) }
            let most = change.overlaps ? steps[0] + steps[1] : 0
            return max(most, steps.max() ?? 0) + slope * distance(piece)
        }
        return (0..<pieces).map { piece in
            // A delayed sound or a slow change is judged by the neighbouring pieces.
            let near = allowed[max(0, piece - 3)...min(pieces - 1, piece + 3)].max() ?? 0
            return largestStep(heard, piece) / max(near, Self.minimumStep)
        }.max() ?? 0
    }

    private func frames(_ piece: Int) -> Range<Int> {
        max(1, piece * Self.pieceFrames)..<(piece + 1) * Self.pieceFrames
    }

    private func largestStep(_ sound: [Float], _ piece: Int) -> Float {
        frames(piece).reduce(0) { max($0, abs(sound[$1] - sound[$1 - 1])) }
    }

    /// Returns the largest difference between the two sounds, or between either sound and silence.
    private func distance(_ piece: Int) -> Float {
        frames(piece).reduce(0) { most, frame in
            let apart = abs(new[frame] - old[frame])
            let alone = change.dips || change.overlaps ? max(abs(new[frame]), abs(old[frame])) : 0
            return max(most, apart, alone)
        }
    }
}
