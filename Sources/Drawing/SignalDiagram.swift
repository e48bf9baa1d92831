public import Pipelines

/// A pipeline as a picture: its nodes as cards, its signals as wires from left to right.
public struct SignalDiagram: Sendable {
    private let diagram: Diagram

    /// Draws the pipeline, with what its plan says about latency.
    public init(of pipeline: Pipeline, latencies: GraphLatencies) {
        diagram = Diagram(of: pipeline, latencies: latencies)
    }

    /// The picture as a drawing of its own: an SVG document without scripts or references to elsewhere.
    public var svg: String { Sheet(showing: diagram).svg }

    /// The graph for Graphviz.
    public var dot: String { DOTGraph(showing: diagram).text }
}
