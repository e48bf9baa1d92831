import Glibc
import Processing
import Testing
import TestSignals

private func impulse(frames: Int) -> [Float] {
    var signal = [Float](repeating: 0, count: frames)
    signal[0] = 1
    return signal
}

@Suite("Delay")
struct DelayTests {
    @Test(
        "repeats at exact frames, each echo attenuated by the feedback",
        arguments: [44_100.0, 48_000, 96_000])
    func echoes(_ sampleRate: Double) {
        let processor = effect("delay").processor(
            sampleRate: sampleRate, parameters: ["time": 0.1, "feedback": 0.5])
        let step = Int(sampleRate / 10)
        let output = processor.render([impulse(frames: 4 * step)])[0]
        var wanted = [Float](repeating: 0, count: 4 * step)
        for echo in 1...3 { wanted[echo * step] = 1 / Float(1 << (echo - 1)) }
        #expect(output == wanted)
    }

    @Test(
        "uses beats of the tempo instead of the time", arguments: [(Float(1), 120.0), (0.75, 90)])
    func beats(_ beats: Float, _ tempo: Double) {
        let processor = effect("delay").processor(
            parameters: ["time": 0.01, "beats": beats, "feedback": 0], tempo: tempo)
        let output = processor.render([impulse(frames: 48_000)])[0]
        #expect(output.firstIndex(of: 1) == 24_000)
    }

    @Test("delays by fractions of a frame without changing the spectrum")
    func fraction() {
        let frames = 480.37
        let processor = effect("delay").processor(
            parameters: ["time": Float(frames / 48_000), "feedback": 0])
        for hertz in [100.0, 1000, 9000, 16_000] {
            let sine = sineWave(hertz, frames: 24_000, sampleRate: 48_000)
            processor.resetState()
            let output = processor.render([sine])[0]
            let turn = 2 * Double.pi * hertz / 48_000
            let worst =
                (12_000..<24_000).map { (frame: Int) -> Double in
                    let wanted = 0.5 * sin(turn * (Double(frame) - frames))
                    return abs(Double(output[frame]) - wanted)
                }.max() ?? 1
            #expect(levelDecibels(worst / 0.5) < -55, "\(hertz) Hz")
        }
    }

    @Test("stays stable at the highest feedback", arguments: [Float(0.25), 0.010007, 0, 0.00013])
    func stability(_ time: Float) {
        let processor = effect("delay").processor(parameters: ["time": time, "feedback": 0.99])
        let noise = whiteNoise(frames: 4800) + [Float](repeating: 0, count: 480_000)
        let output = processor.render([noise], partition: .even(1024))[0]
        #expect(rms(output[400_000...]) < rms(output[..<100_000]))
        #expect(output.allSatisfy { abs($0) < 100 })
    }

    @Test("treats a time below one frame as one frame")
    func shortest() {
        let processor = effect("delay").processor(parameters: ["time": 0, "feedback": 0])
        #expect(processor.render([impulse(frames: 4)])[0] == [0, 1, 0, 0])
    }

    @Test("limits a time to its maximum")
    func maximum() {
        let processor = effect("delay").processor(
            parameters: ["time": 0.1, "feedback": 0], settings: ["maximum": .number(0.2)])
        let signal = [Float](repeating: 0, count: 24_000) + impulse(frames: 24_000)
        let output = processor.render([signal], moves: [Move(0, to: 3, at: 0)])[0]
        #expect(output.firstIndex(of: 1) == 24_000 + 9600)
    }

    @Test("has memory for every valid time")
    func room() {
        let processor = effect("delay").processor(parameters: ["feedback": 0], tempo: 40)
        let signal = [Float](repeating: 0, count: 2000) + impulse(frames: 1_160_000)
        let output = processor.render(
            [signal], partition: .even(4096), moves: [Move(1, to: 16, at: 0)])[0]
        #expect(output.firstIndex(of: 1) == 2000 + 24 * 48_000)
    }

    @Test("has memory for the time at load, whatever the maximum")
    func longStart() {
        let processor = effect("delay").processor(
            parameters: ["time": 10, "feedback": 0], settings: ["maximum": .number(1)])
        let output = processor.render([impulse(frames: 490_000)], partition: .even(4096))[0]
        #expect(output.firstIndex(of: 1) == 480_000)
    }

    @Test("moves to a new time without a click or a change of pitch")
    func crossfade() {
        let processor = effect("delay").processor(parameters: ["time": 0.1, "feedback": 0])
        let sine = sineWave(200, frames: 48_000, sampleRate: 48_000)
        let output = processor.render([sine], moves: [Move(0, to: 0.2013, at: 20_000)])[0]
        let steepest = Float(0.5 * 2 * Double.pi * 200 / 48_000)
        // The crossfade adds at most its own slope of one amplitude in 20 ms.
        #expect(largestStep(Array(output[6000...])) < steepest + 1.1 / 960)
        let partials = Partials(of: output[22_000...], at: [200], sampleRate: 48_000)
        #expect(levelDecibels(partials.residual) < -100)
    }

    @Test("is silent after its tail", arguments: [Float(0), 0.3, 0.9])
    func tail(_ feedback: Float) {
        let processor = effect("delay").processor(
            parameters: ["time": 0.01003, "feedback": feedback])
        let tail = processor.tailFrames ?? 0
        let signal = whiteNoise(frames: 1000) + [Float](repeating: 0, count: tail + 1000)
        #expect(levelDecibels(rms(processor.render([signal])[0][(tail + 1000)...])) < -115)
    }
}
