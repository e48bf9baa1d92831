import DSP
import Glibc
import Testing
import TestSignals

@Suite("Delay line")
struct DelayLineTests {
    @Test("delays by whole frames exactly", arguments: [1, 2, 7, 8, 100, 999, 1000])
    func whole(_ frames: Int) {
        let noise = whiteNoise(frames: 5000)
        let output = delayed(noise, by: Double(frames), maximumFrames: 1000)
        #expect(output[..<frames].allSatisfy { $0 == 0 })
        #expect(Array(output[frames...]) == Array(noise[..<(5000 - frames)]))
    }

    @Test(
        "delays by fractions of a frame with the right phase and level",
        arguments: [8.01, 8.5, 63.25, 500.999 - 0.01, 999.7])
    func fractional(_ frames: Double) {
        for turnsPerFrame in [0.01, 0.1, 0.3] {
            let step = 2 * Double.pi * turnsPerFrame
            let sine = (0..<4000).map { Float(sin(step * Double($0))) }
            let output = delayed(sine, by: frames, maximumFrames: 1000)
            for frame in stride(from: 1100, to: 4000, by: 97) {
                let wanted = sin(step * (Double(frame) - frames))
                #expect(abs(Double(output[frame]) - wanted) < 0.001)
            }
        }
    }

    @Test("never raises any frequency above the limit set by the highest feedback")
    func gain() {
        for part in 1..<40 {
            var impulse = [Float](repeating: 0, count: 64)
            impulse[0] = 1
            let response = delayed(impulse, by: 20 + Double(part) / 40, maximumFrames: 64)
            for step in 0...100 {
                let hertz = Double(step) / 200
                let gain = spectrumAmplitude(response, at: hertz, sampleRate: 1)
                #expect(gain * 0.99 < 0.995)
            }
        }
    }

    @Test("is silent after it is cleared")
    func clear() {
        var line = DelayLine(maximumFrames: 50)
        for sample in whiteNoise(frames: 200) { line.push(sample) }
        line.clear()
        let isSilent = (1...50).allSatisfy { line.read(DelayTap(frames: Double($0))) == 0 }
        #expect(isSilent)
    }

    private func delayed(_ signal: [Float], by frames: Double, maximumFrames: Int) -> [Float] {
        var line = DelayLine(maximumFrames: maximumFrames)
        let tap = DelayTap(frames: frames)
        return signal.map { sample in
            let heard = line.read(tap)
            line.push(sample)
            return heard
        }
    }
}
