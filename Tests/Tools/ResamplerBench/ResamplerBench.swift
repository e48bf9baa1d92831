import Glibc
import TestSignals

/// One conversion by one resampler.
struct ResamplerBench {
    private let from: Double
    private let to: Double
    private let tone: Double
    private let subject: Subject

    /// The number of output frames per block.
    private static let blockFrames = 64
    private static let blockCount = 2000

    /// Creates a benchmark; `nil` if the resampler is not installed.
    init?(_ from: Double, _ to: Double, tone: Double, _ subject: Subject) {
        guard subject.make(from, to, 1) != nil else { return nil }
        self.from = from
        self.to = to
        self.tone = tone
        self.subject = subject
    }

    func printRow() {
        let (mono, worst) = cost(channels: 1)
        let stereo = cost(channels: 2).mean
        let cells = [
            "\(Int(from))", "\(Int(to))", subject.name, text(mono), text(stereo),
            text(worst / mono), text(noise(tone)) + " dB",
            min(from, to) > 40_000 ? text(level(20_000)) + " dB" : "",
        ]
        print("| \(cells.joined(separator: " | ")) |")
    }

    /// Returns nanoseconds per output frame and channel: the mean, and the worst block.
    ///
    /// Each block counts with its shortest time of 12 runs.
    private func cost(channels: Int) -> (mean: Double, worst: Double) {
        var least = [Double](repeating: .infinity, count: Self.blockCount)
        for _ in 0..<12 {
            guard let convert = subject.make(from, to, channels) else { break }
            let times = run(convert, channels: channels) { _, _ in }
            for block in least.indices { least[block] = min(least[block], times[block]) }
        }
        let scale = 1e9 / Double(Self.blockFrames * channels)
        let late = least.dropFirst(Self.blockCount / 10)
        return (late.reduce(0, +) / Double(late.count) * scale, (late.max() ?? 0) * scale)
    }

    /// Returns the level of everything except the tone, relative to the tone.
    private func noise(_ hertz: Double) -> Double {
        let partials = Partials(of: sound(hertz), at: [hertz], sampleRate: to)
        return levelDecibels(partials.residual * 2.0.squareRoot() / partials.amplitudes[0])
    }

    private func level(_ hertz: Double) -> Double {
        Partials(of: sound(hertz), at: [hertz], sampleRate: to).decibels(0) - levelDecibels(0.5)
    }

    private func sound(_ hertz: Double) -> ArraySlice<Float> {
        guard let convert = subject.make(from, to, 1) else { return [] }
        var sound: [Float] = []
        _ = run(convert, channels: 1, hertz: hertz) { start, count in
            sound += UnsafeBufferPointer(start: start, count: count)
        }
        return sound[8000..<72_000]
    }

    /// Converts block after block, and returns the seconds that each took.
    private func run(
        _ convert: Subject.Conversion, channels: Int, hertz: Double = 997,
        _ consume: (UnsafeMutablePointer<Float>, Int) -> Void
    ) -> [Double] {
        let frames = Int(Double(Self.blockCount * Self.blockFrames) * from / to) + 512
        let sine = sineWave(hertz, frames: frames, sampleRate: from)
        let input = sine.flatMap { [Float](repeating: $0, count: channels) }
        let room = 4 * Self.blockFrames
        var output = [Float](repeating: 0, count: room * channels)
        return input.withUnsafeBufferPointer { samples in
            guard let first = samples.baseAddress else { return [] }
            var inputFrame = 0
            return (0..<Self.blockCount).map { block in
                let end = Int(Double((block + 1) * Self.blockFrames) * from / to)
                let start = seconds()
                let made = convert(first + inputFrame * channels, end - inputFrame, &output, room)
                let time = seconds() - start
                inputFrame = end
                consume(&output, made)
                return time
            }
        }
    }
}

private func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
}

private func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
