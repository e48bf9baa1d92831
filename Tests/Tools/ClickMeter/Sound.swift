import Glibc
import SoundFiles
import TestSignals

/// The test sound; it is confined to a band, so all energy outside the band comes from the change.
struct Sound {
    /// The kinds of sounds, in table order.
    enum Kind: String, CaseIterable {
        case sines, speech, music
    }

    let kind: Kind
    let samples: [Float]
    /// The frequency of a sine.
    private let hertz: Double?

    /// The upper band limit of speech and music.
    private static let edgeHertz = 3_500.0
    /// The distance from a sine that still counts as the sine.
    private static let sineHertz = 200.0
    /// A frequency above the remains of speech and music that are transposed up by a fourth.
    private static let quietHertz = 6_000.0
    /// A peak low enough that no sum of sounds reaches the limiter.
    private static let peak: Float = 0.15

    /// Creates a sine.
    init(hertz: Double, frames: Int, sampleRate: Double) {
        kind = .sines
        self.hertz = hertz
        samples = sineWave(
            hertz, amplitude: Double(Self.peak), frames: frames, sampleRate: sampleRate)
    }

    /// Creates another sound from the low frequencies of samples.
    init(_ kind: Kind, _ all: [Float], frames: Int, sampleRate: Double) {
        self.kind = kind
        hertz = nil
        // The filter then smooths the seam of the loop.
        let looped = (0..<frames).map { all[$0 % all.count] }
        let low = lowPassed(looped, belowHertz: Self.edgeHertz, sampleRate: sampleRate)
        let loudest = max(low.map(abs).max() ?? 0, 1e-6)
        samples = low.map { $0 * Self.peak / loudest }
    }

    /// Creates a sound from the first channel of a sound file.
    init(_ kind: Kind, file: String, frames: Int, sampleRate: Double) throws {
        let source = try SoundFileReader(path: file).frames(at: sampleRate)
        self.init(kind, try source.readChannels()[0], frames: frames, sampleRate: sampleRate)
    }

    /// Returns the band in Hz, extended by these frequency ratios.
    func band(movedBy ratios: ClosedRange<Double>) -> ClosedRange<Double> {
        guard let hertz else { return 0...Self.quietHertz }
        let (low, high) = (hertz * ratios.lowerBound, hertz * ratios.upperBound)
        return low - Self.sineHertz...high + Self.sineHertz
    }
}

/// Returns a sound low-passed at `hertz`; nothing remains at twice that frequency.
private func lowPassed(_ sound: [Float], belowHertz hertz: Double, sampleRate: Double) -> [Float] {
    let reach = 127
    let window = kaiserWindow(frames: 2 * reach + 1, shape: 12)
    let taps = window.enumerated().map { index, weight in
        let x = 2 * hertz * 1.3 / sampleRate
        let time = Double(index - reach)
        return Float(time == 0 ? x : sin(.pi * x * time) / (.pi * time)) * weight
    }
    let padded = [Float](repeating: 0, count: reach) + sound + [Float](repeating: 0, count: reach)
    return sound.indices.map { frame in
        var sum: Float = 0
        for tap in taps.indices { sum += padded[frame + tap] * taps[tap] }
        return sum
    }
}
