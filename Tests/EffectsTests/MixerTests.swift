import Glibc
import Processing
import Testing
import TestSignals

private let noise = whiteNoise(frames: 9600)

/// Returns the level of a signal relative to the noise, in dB.
private func level(_ signal: [Float]) -> Double { levelDecibels(rms(signal) / rms(noise)) }

private func mixed(
    _ parameters: [String: Float], strips: [Int] = [1], channels: Int = 1, law: Double? = nil,
    inputs: [[Float]] = [noise], moves: [Move] = []
) -> [[Float]] {
    effect("mixer").processor(
        stripChannels: strips, outputChannels: channels, parameters: parameters,
        settings: law.map { ["pan-law": .number($0)] } ?? [:]
    ).render(inputs, moves: moves)
}

@Suite("Mixer")
struct MixerTests {
    @Test("has exact gains", arguments: ["gain", "0.gain"], [-119, -60, -6, 0, 12, 24] as [Float])
    func gains(_ place: String, _ gain: Float) {
        #expect(abs(level(mixed([place: gain])[0]) - Double(gain)) < 0.001)
    }

    @Test(
        "is silent at -120 dB, if muted, and if another strip is on solo",
        arguments: [["gain": -120], ["0.gain": -120], ["0.mute": 1], ["1.solo": 1]])
    func silence(_ parameters: [String: Float]) {
        let zeros = [Float](repeating: 0, count: noise.count)
        let output = mixed(parameters, strips: [1, 1], inputs: [noise, zeros])[0]
        #expect(output.allSatisfy { $0 == 0 })
    }

    @Test("mutes a muted strip on solo")
    func mutedSolo() {
        #expect(mixed(["0.mute": 1, "0.solo": 1])[0].allSatisfy { $0 == 0 })
    }

    @Test("inverts bit-exactly")
    func invert() {
        #expect(mixed(["0.invert": 1])[0] == noise.map { -$0 })
    }

    @Test("pans a mono strip by the pan law", arguments: [-3.0, -4.5, -6, 0])
    func panLaw(_ law: Double) {
        for output in mixed([:], channels: 2, law: law) {
            #expect(abs(level(output) - law) < 0.001)
        }
        for (pan, near, far) in [(Float(-1), 0, 1), (1, 1, 0)] {
            let outputs = mixed(["0.pan": pan], channels: 2, law: law)
            #expect(outputs[near] == noise)
            #expect(outputs[far].allSatisfy { $0 == 0 })
        }
    }

    @Test("pans at constant power by default, -3 dB in the middle")
    func constantPower() {
        for pan: Float in [-0.8, -0.3, 0, 0.5, 0.9] {
            let outputs = mixed(["0.pan": pan], channels: 2)
            let power = rms(outputs[0]) * rms(outputs[0]) + rms(outputs[1]) * rms(outputs[1])
            #expect(abs(levelDecibels(power.squareRoot() / rms(noise))) < 0.02)
        }
    }

    @Test("balances a stereo strip: the near side stays unchanged, the far one fades")
    func balance() {
        let other = whiteNoise(frames: noise.count, seed: 5)
        let inputs = [noise, other]
        #expect(mixed([:], strips: [2], channels: 2, inputs: inputs) == inputs)
        let left = mixed(["0.pan": -1], strips: [2], channels: 2, inputs: inputs)
        #expect(left[0] == noise)
        #expect(left[1].allSatisfy { $0 == 0 })
        let half = mixed(["0.pan": 0.5], strips: [2], channels: 2, inputs: inputs)
        #expect(half == [noise.map { $0 * 0.5 }, other])
    }

    @Test("sends a mono strip to each of more than two channels, whatever its pan")
    func wide() {
        #expect(mixed(["0.pan": 1], channels: 4) == [noise, noise, noise, noise])
    }

    @Test("mixes wide strips channel by channel, and narrow ones into the first channels")
    func channelByChannel() {
        let signals = (0..<5).map { whiteNoise(frames: 100, seed: UInt64($0 + 1)) }
        let outputs = mixed([:], strips: [3, 2], channels: 3, inputs: signals)
        #expect(outputs[0] == zip(signals[0], signals[3]).map { $0 + $1 })
        #expect(outputs[1] == zip(signals[1], signals[4]).map { $0 + $1 })
        #expect(outputs[2] == signals[2])
    }

    @Test(
        "mixes a stereo strip into one channel as the mean, so that a centred sound has the same level"
    )
    func downmix() {
        #expect(mixed([:], strips: [2], inputs: [noise, noise])[0] == noise)
    }

    @Test("nulls a signal against its inverse")
    func null() {
        let output = mixed(["1.invert": 1], strips: [1, 1], inputs: [noise, noise])[0]
        #expect(output.allSatisfy { $0 == 0 })
    }

    @Test(
        "changes without a step",
        arguments: [(Int32(0), Float(-120)), (1, 6), (3, 1), (5, 1), (2, 1)]
    )
    func moves(_ parameter: Int32, _ value: Float) {
        let constant = [Float](repeating: 0.5, count: 9600)
        let outputs = mixed(
            [:], channels: 2, inputs: [constant], moves: [Move(parameter, to: value, at: 4000)])
        // The largest possible change, from 0.5 to -0.5, takes 20 ms.
        for output in outputs { #expect(largestStep(output) < 1.1 / 960) }
    }

    @Test("keeps a closed strip that is not finite out of the sum")
    func closedStrip() {
        let poison = [Float](repeating: .nan, count: noise.count)
        let output = mixed(["1.mute": 1], strips: [1, 1], inputs: [noise, poison])[0]
        #expect(output == noise)
    }
}
