import Glibc
import Processing
import Testing
import TestSignals

private let noise = whiteNoise(frames: 9600)

@Suite("Gain")
struct GainTests {
    @Test("is bit-transparent at its defaults", arguments: [1, 2, 3, 64])
    func transparent(_ channels: Int) {
        let signals = (0..<channels).map { whiteNoise(frames: 500, seed: UInt64($0 + 1)) }
        #expect(effect("gain").processor(channels: channels).render(signals) == signals)
    }

    @Test("has exact gains", arguments: [-119, -60, -20, 6, 24] as [Float])
    func gains(_ gain: Float) {
        let output = effect("gain").processor(parameters: ["gain": gain]).render([noise])[0]
        #expect(abs(levelDecibels(rms(output) / rms(noise)) - Double(gain)) < 0.001)
    }

    @Test("is silent at -120 dB and if muted, even for samples that are not finite")
    func silence() {
        for parameters: [String: Float] in [["gain": -120], ["mute": 1]] {
            let processor = effect("gain").processor(parameters: parameters)
            #expect(processor.render([[1, .nan, .infinity, -1]])[0] == [0, 0, 0, 0])
        }
    }

    @Test("inverts bit-exactly")
    func invert() {
        let output = effect("gain").processor(parameters: ["invert": 1]).render([noise])[0]
        #expect(output == noise.map { -$0 })
    }

    @Test("balances two channels, and no other number of channels")
    func balance() {
        let two = effect("gain").processor(channels: 2, parameters: ["pan": 0.25])
        #expect(two.render([noise, noise]) == [noise.map { $0 * 0.75 }, noise])
        let three = effect("gain").processor(channels: 3, parameters: ["pan": 1])
        #expect(three.render([noise, noise, noise]) == [noise, noise, noise])
    }

    @Test("moves along a smooth step and then rests at the exact value")
    func move() {
        let ones = [Float](repeating: 1, count: 4000)
        let output = effect("gain").processor().render([ones], moves: [Move(2, to: 1, at: 1000)])[0]
        #expect(output[..<1000].allSatisfy { $0 == 1 })
        #expect(largestStep(output) < 1.51 / 960)
        #expect(largestBend(output) < 6.1 / (960 * 960))
        #expect(output[1960...].allSatisfy { $0 == 0 })
    }

    @Test("follows a continuously turned knob within 20 ms, without a corner")
    func knob() {
        let ones = [Float](repeating: 1, count: 4000)
        let moves = (0..<100).map { Move(0, to: -0.2 * Float($0), at: 500 + 24 * $0) }
        let output = effect("gain").processor().render([ones], moves: moves)[0]
        #expect(largestBend(output) < 2 / (960 * 960))
        for move in moves where move.frame > 1500 {
            #expect(output[move.frame] < Float(exp2(Double(move.value + 8) / 6.02)))
        }
        #expect(zip(output, output.dropFirst()).allSatisfy { $1 <= $0 })
    }

    @Test("never overshoots its target, whatever the sequence of changes", arguments: 1...20)
    func bounds(_ seed: UInt64) {
        let chance = whiteNoise(frames: 100, seed: seed)
        let ones = [Float](repeating: 1, count: 20_000)
        let moves = chance.enumerated().map {
            Move(0, to: -10 + 10 * $0.element, at: 200 + $0.offset * 150 + Int(50 * $0.element))
        }
        let output = effect("gain").processor().render([ones], moves: moves)[0]
        let lowest = Float(pow(10, Double(moves.map(\.value).min() ?? 0) / 20))
        #expect(output.allSatisfy { $0 <= 1 && $0 >= lowest * 0.99999 })
        #expect(largestStep(output) < 3.01 / 960)
    }
}

/// Returns the largest change of slope from one frame to the next.
private func largestBend(_ signal: [Float]) -> Float {
    largestStep(zip(signal, signal.dropFirst()).map { $1 - $0 })
}
