internal import Engine
internal import Pipelines

/// The largest steps from one sample to the next around a change, in a steady tone.
public struct StepEdges: Sendable, Equatable {
    /// The largest step during the change, as a share of what the crossfade law allows; 0 for
    /// silence.
    public internal(set) var share = 0.0
    /// The name of the output with this step.
    public internal(set) var output = ""
}

/// Compares the samples during a change with those before and after it.
///
/// A steady tone has small steps before and after the change. The crossfade law adds to them the
/// steepest slope of a crossfade of 20 ms, or 30 ms for songs, between the two levels.
final class EdgeMeter {
    /// One output channel.
    private struct Channel {
        let output: String
        let slot: Int
        /// The last sample, and the figures of the end of the step before.
        var last: Float = 0
        var before = Figures()
        var during = Figures()
        var after = Figures()
    }

    /// The largest step, and the highest magnitude.
    private struct Figures {
        var step: Float = 0
        var peak: Float = 0
    }

    /// The steepest slope of a smooth crossfade, in shares of its length.
    private static let slope = 1.5
    /// Steps below -80 dB are not heard as clicks.
    private static let inaudible: Float = 1e-4

    private var channels: [Channel]
    private let frames: Int
    private let sampleRate: Double

    init(_ ports: EnginePorts, _ request: ProofRequest) {
        channels = ports.outputs.filter { $0.kind == .audio }.flatMap { output in
            output.slots.map { Channel(output: output.name, slot: $0) }
        }
        (frames, sampleRate) = (request.blockFrames, request.sampleRate)
    }

    /// Begins a step: the sound after the previous change is the sound before this one.
    func begin() {
        for index in channels.indices {
            channels[index].before = channels[index].after
            (channels[index].during, channels[index].after) = (Figures(), Figures())
        }
    }

    /// Adds a block.
    ///
    /// - Parameters:
    ///   - room: The outputs.
    ///   - isChanging: Whether the change can still be heard; otherwise the sound is that after it.
    func add(_ room: OutputRoom, isChanging: Bool) {
        for index in channels.indices {
            let samples = room.slot(channels[index].slot)
            var figures = isChanging ? channels[index].during : channels[index].after
            var last = channels[index].last
            for frame in 0..<frames {
                figures.step = max(figures.step, abs(samples[frame] - last))
                figures.peak = max(figures.peak, abs(samples[frame]))
                last = samples[frame]
            }
            channels[index].last = last
            if isChanging {
                channels[index].during = figures
            } else {
                channels[index].after = figures
            }
        }
    }

    /// Returns the largest step of all channels.
    ///
    /// - Parameter seconds: The length of the crossfade that the law allows.
    /// - Returns: The step, and its output.
    func edges(crossfadeSeconds seconds: Double) -> StepEdges {
        let slope = Float(Self.slope / (seconds * sampleRate))
        var edges = StepEdges()
        for channel in channels where channel.during.step > Self.inaudible {
            let (before, after) = (channel.before, channel.after)
            let allowed = before.step + after.step + slope * (before.peak + after.peak)
            let share = Double(channel.during.step / max(allowed, Self.inaudible))
            if share > edges.share {
                edges.share = share
                edges.output = channel.output
            }
        }
        return edges
    }
}
