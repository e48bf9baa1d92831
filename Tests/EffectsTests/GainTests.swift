import Processing
import TestSignals
import Testing

private let noise = whiteNoise(frames: 9600)

@Suite("Gain")
struct GainTests {
    @Test("is transparent to the bit at its defaults", arguments: [1, 2, 3, 64])
    func transparent(_ channels: Int) {
        let signals = (0..<channels).map { whiteNoise(frames: 500, seed: UInt64($0 + 1)) }
        #expect(effect("gain").processor(channels: channels).render(signals) == signals)
    }

    @Test("has exact gains", arguments: [-119, -60, -20, 6, 24] as [Float])
    func gains(_ gain: Float) {
        let output = effect("gain").processor(parameters: ["gain": gain]).render([noise])[0]
        #expect(abs(levelDecibels(rms(output) / rms(noise)) - Double(gain)) < 0.001)
    }

    @Test("is silent at -120 dB and muted, even for what is not finite")
    func silence() {
        for parameters: [String: Float] in [["gain": -120], ["mute": 1]] {
            let processor = effect("gain").processor(parameters: parameters)
            #expect(processor.render([[1, .nan, .infinity, -1]])[0] == [0, 0, 0, 0])
        }
    }

    @Test("inverts to the bit")
    func invert() {
        let output = effect("gain").processor(parameters: ["invert": 1]).render([noise])[0]
        #expect(output == noise.map { -$0 })
    }

    @Test("balances two channels and no others")
    func balance() {
        let two = effect("gain").processor(channels: 2, parameters: ["pan": 0.25])
        #expect(two.render([noise, noise]) == [noise.map { $0 * 0.75 }, noise])
        let three = effect("gain").processor(channels: 3, parameters: ["pan": 1])
        #expect(three.render([noise, noise, noise]) == [noise, noise, noise])
    }

    @Test("moves along a line and then rests at the exact value")
    func move() {
        let ones = [Float](repeating: 1, count: 4000)
        let output = effect("gain").processor().render([ones], moves: [Move(2, to: 1, at: 1000)])[0]
        #expect(output[..<1000].allSatisfy { $0 == 1 })
        #expect(largestStep(output) < 1.01 / 960)
        #expect(output[1960...].allSatisfy { $0 == 0 })
    }
}
