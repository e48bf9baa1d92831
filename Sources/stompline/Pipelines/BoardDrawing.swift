internal import Drawing
internal import Engine
internal import HTTPServer
internal import Pipelines
internal import Processing

/// Draws the current song for the board view of the page.
enum BoardDrawing {
    /// The maximum number of frames per cycle; latencies do not depend on it.
    private static let blockFrames = 1024

    /// Returns the drawing of a song as SVG.
    ///
    /// No node is drawn as bypassed, since the page shows the present state itself.
    static func svg(of song: DrawnSong) -> String {
        var pipeline = song.pipeline.atLoad
        let plan = Plan(
            pipeline, latencies: pipeline.nodes.map { song.latencyFrames[$0.id] ?? 0 },
            format: AudioFormat(
                sampleRate: song.sampleRate, maximumBlockFrames: blockFrames))
        let latencies = GraphLatencies(pipeline, plan)
        for node in pipeline.nodes.indices { pipeline.nodes[node].isBypassed = false }
        return SignalDiagram(of: pipeline, latencies: latencies).svg
    }
}
