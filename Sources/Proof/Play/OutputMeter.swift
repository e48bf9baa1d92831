internal import CRealtime
internal import Engine
internal import Pipelines
internal import SoundFiles

/// Measures the levels of all audio outputs during a step.
final class OutputMeter {
    /// One output.
    private struct Signal {
        let name: String
        let slots: [Int]
        let loudness: LoudnessMeter?
        var peak: Float = 0
        var settledPeak: Float = 0
        var interleaved: [Float]
    }

    private var signals: [Signal]
    private let frames: Int

    /// Creates a meter for the outputs of engine ports.
    init(_ ports: EnginePorts, _ request: ProofRequest) {
        frames = request.blockFrames
        signals = ports.outputs.filter { $0.kind == .audio && !$0.slots.isEmpty }.map { output in
            Signal(
                name: output.name, slots: output.slots,
                loudness: LoudnessMeter(
                    channels: output.slots.count, sampleRate: request.sampleRate),
                interleaved: Array(
                    repeating: 0, count: output.slots.count * request.blockFrames))
        }
    }

    /// Adds a block.
    ///
    /// - Parameters:
    ///   - room: The outputs of the block.
    ///   - isSettled: Whether the former sound has ended. Before that, a block counts only for the
    ///     peak of the whole step.
    func add(_ room: OutputRoom, isSettled: Bool) {
        for index in signals.indices {
            let slots = signals[index].slots
            for (channel, slot) in slots.enumerated() {
                let samples = room.slot(slot)
                let peak = rt_level(samples, Int64(frames)).peak
                signals[index].peak = max(signals[index].peak, peak)
                if isSettled { signals[index].settledPeak = max(signals[index].settledPeak, peak) }
                for frame in 0..<frames {
                    signals[index].interleaved[frame * slots.count + channel] = samples[frame]
                }
            }
            guard isSettled else { continue }
            signals[index].loudness?.add(frames, signals[index].interleaved)
        }
    }

    /// The levels since the creation.
    var levels: [StepLevels.Output] {
        signals.map {
            StepLevels.Output(
                name: $0.name, peakDecibels: decibels(Double($0.peak)),
                settledPeakDecibels: decibels(Double($0.settledPeak)),
                loudness: $0.loudness?.integrated)
        }
    }
}
