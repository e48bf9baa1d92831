internal import Engine
internal import Pipelines

/// The latency of an audio output of a song, without the sound card.
public struct OutputLatency: Sendable, Equatable {
    /// A node with latency.
    public struct Part: Sendable, Equatable {
        /// The id of the node.
        public let node: String
        /// The node's own latency, in frames.
        public let frames: Int
    }

    /// The name of the song.
    public let song: String
    /// The name of the output.
    public let output: String
    /// The latency, in frames.
    public let frames: Int
    /// The latency, in ms.
    public let milliseconds: Double
    /// The nodes with latency on the path that arrives last, in the order of the signal.
    public let path: [Part]
}

extension PlayedNight {
    /// The latencies of all audio outputs, in the order of the songs and their outputs.
    public var outputLatencies: [OutputLatency] {
        latencies.flatMap { song in
            song.report.outputs.map { output in
                OutputLatency(
                    song: song.song, output: song.pipeline.outputs[output.output].name,
                    frames: output.latencyFrames,
                    milliseconds: 1000 * Double(output.latencyFrames) / request.sampleRate,
                    path: output.path.map {
                        OutputLatency.Part(
                            node: song.pipeline.nodes[$0.node].id, frames: $0.latencyFrames)
                    })
            }
        }
    }
}
