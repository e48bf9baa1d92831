import Glibc
import SoundFiles
import TestSignals

/// What is played while something changes: nothing of it lies outside a band, so that what does is the change's.
struct Sound {
    /// The kinds of sounds, as the table has them.
    enum Kind: String, CaseIterable {
        case sines, speech, music
    }

    let kind: Kind
    let samples: [Float]
    /// Of a sine.
    private let hertz: Double?

    /// Speech and music end here.
    private static let edgeHertz = 3_500.0
    /// How far from a sine still counts as the sine.
    private static let sineHertz = 200.0
    /// Above what is left of speech and music that are moved up by a fourth.
    private static let quietHertz = 6_000.0
    /// Low enough that no sum of it reaches the limiter.
    private static let peak: Float = 0.15

    /// A sine.
    init(hertz: Double, frames: Int, sampleRate: Double) {
        kind = .sines
        self.hertz = hertz
        samples = sineWave(
            hertz, amplitude: Double(Self.peak), frames: frames, sampleRate: sampleRate)
    }

    /// Anything else, of which what is low is taken.
    init(_ kind: Kind, _ all: [Float], frames: Int, sampleRate: Double) {
        self.kind = kind
        hertz = nil
        // The seam of a loop is no edge then.
        let looped = (0..<frames).map { all[$0 % all.count] }
        let low = lowPassed(looped, belowHertz: Self.edgeHertz, sampleRate: sampleRate)
        let loudest = max(low.map(abs).max() ?? 0, 1e-6)
        samples = low.map { $0 * Self.peak / loudest }
    }

    /// The first channel of a sound file.
    init(_ kind: Kind, file: String, frames: Int, sampleRate: Double) throws {
        let source = try SoundFileReader(path: file).frames(at: sampleRate)
        self.init(kind, try source.readChannels()[0], frames: frames, sampleRate: sampleRate)
    }

    /// Hz where it may be, moved by these shares.
    func band(movedBy ratios: ClosedRange<Double>) -> ClosedRange<Double> {
        guard let hertz else { return 0...Self.quietHertz }
        let (low, high) = (hertz * ratios.lowerBound, hertz * ratios.upperBound)
        return low - Self.sineHertz...high + Self.sineHertz
    }
}

/// A sound without what lies above some Hz: at twice that nothing is left.
private func lowPassed(_ sound: [Float], belowHertz hertz: Double, sampleRate: Double) -> [Float] {
    let reach = 127
    let window = kaiserWindow(frames: 2 * reach + 1, shape: 12)
    let taps = window.enumerated().map { place, weight in
        let x = 2 * hertz * 1.3 / sampleRate
        let time = Double(place - reach)
        return Float(time == 0 ? x : sin(.pi * x * time) / (.pi * time)) * weight
    }
    let padded = [Float](repeating: 0, count: reach) + sound + [Float](repeating: 0, count: reach)
    return sound.indices.map { frame in
        var sum: Float = 0
        for tap in taps.indices { sum += padded[frame + tap] * taps[tap] }
        return sum
    }
}
