public import Pipelines
internal import SessionCore

/// A song to be drawn.
public struct DrawnSong: Sendable, Equatable {
    /// The pipeline as the engine plays it.
    public var pipeline: Pipeline
    /// The latency of each node that has one, in frames, by the id of the node.
    public var latencyFrames: [String: Int]
    /// The sample rate in Hz.
    public var sampleRate: Double

    /// Draws a song as an SVG document, on the server's thread.
    public typealias Maker = @Sendable (DrawnSong) -> String
}

/// The drawing of the current song; it is made again when the pipeline or a latency has changed.
///
/// Only the server's thread uses it.
struct SongDrawing {
    private let make: DrawnSong.Maker
    private var pipeline: Pipeline?
    private var latencyFrames: [String: Int] = [:]
    private var sampleRate = 48_000.0
    private var drawn: (song: DrawnSong, text: String)?

    /// Creates a drawing that `make` makes.
    init(_ make: @escaping DrawnSong.Maker) { self.make = make }

    /// Adopts the pipeline of a description, and forgets the latencies of nodes that it lacks.
    mutating func follow(_ description: SessionDescription) {
        pipeline = description.pipeline
        latencyFrames = latencies(in: description.pipeline)
    }

    /// The latencies of the nodes of a pipeline; a status can have nodes that ring out, too.
    private func latencies(in pipeline: Pipeline) -> [String: Int] {
        let ids = Set(pipeline.nodes.map(\.id))
        return latencyFrames.filter { ids.contains($0.key) }
    }

    /// Adopts the latencies of a status.
    mutating func follow(_ status: SessionStatus) {
        sampleRate = status.sampleRate
        for node in status.nodes {
            latencyFrames[node.node] = node.latencyFrames > 0 ? node.latencyFrames : nil
        }
    }

    /// Returns the drawing; `nil` before the first description.
    mutating func svg() -> String? {
        guard let pipeline else { return nil }
        let song = DrawnSong(
            pipeline: pipeline, latencyFrames: latencies(in: pipeline), sampleRate: sampleRate)
        if let drawn, drawn.song == song { return drawn.text }
        let text = make(song)
        drawn = (song, text)
        return text
    }
}
