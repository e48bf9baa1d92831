import Processing
import Testing
import TestSignals

@Suite("A threshold")
struct ThresholdTests {
    private let recording = Recording(channels: 1)

    /// Bursts of noise from 5000 through 8000 and from 20,000 through 21,000, over a floor of -80
    /// dB.
    private let signal: [Float] = {
        var signal = whiteNoise(amplitude: 0.0001, frames: 40_000)
        let burst = whiteNoise(frames: 40_000, seed: 9)
        for frame in [5000..<8001, 20_000..<21_001].joined() { signal[frame] = burst[frame] }
        // Loud at the ends, whatever the noise.
        for frame in [5000, 8000, 20_000, 21_000] { signal[frame] = -0.5 }
        return signal
    }()

    private func settings(_ more: [String: Double]) -> [String: SettingValue] {
        more.mapValues { .number($0) }.merging(["bits": .number(32), "threshold": .number(-40)]) {
            first, _ in first
        }
    }

    @Test(
        "starts the take with the first frame that exceeds it",
        arguments: [Partition.even(64), .even(4096), .random(seed: 2)])
    func start(_ partition: Partition) throws {
        try recording.record([signal], to: "take.wav", settings([:]), partition: partition)
        #expect(try recording.sound(of: "take.wav") == [Array(signal[5000...])])
    }

    @Test("includes the pre-roll before that frame")
    func preRoll() throws {
        try recording.record([signal], to: "take.wav", settings(["pre-roll": 0.05]))
        #expect(try recording.sound(of: "take.wav") == [Array(signal[2600...])])
    }

    @Test(
        "pauses the take after the hold time, and continues in the same file",
        arguments: [Partition.even(64), .even(4096), .random(seed: 2)])
    func hold(_ partition: Partition) throws {
        try recording.record(
            [signal], to: "take.wav", settings(["hold": 0.1, "pre-roll": 0.01]),
            partition: partition)
        let parts = Array(signal[4520..<12_801]) + Array(signal[19_520..<25_801])
        #expect(try recording.sound(of: "take.wav") == [parts])
    }

    @Test("does nothing while recording is off")
    func off() throws {
        try recording.record(
            [signal], to: "take.wav", isRecording: false, settings([:]),
            moves: [Move(Parameter.recording, to: 1, at: 15_000)])
        #expect(try recording.sound(of: "take.wav") == [Array(signal[20_000...])])
    }

    @Test("is visible in the state: armed, recording, idle")
    func states() throws {
        let recorder = try recording.recorder(
            "take.wav", isRecording: false, settings(["hold": 0.1]))
        var states: [Float] = []
        for part in [0..<1000, 1000..<4000, 4000..<6000, 6000..<15_000] {
            _ = recorder.render(
                [Array(signal[part])],
                moves: part.lowerBound == 1000 ? [Move(Parameter.recording, to: 1, at: 0)] : [])
            states.append(recorder.report("state"))
        }
        #expect(states == [0, 1, 2, 1])
    }
}
