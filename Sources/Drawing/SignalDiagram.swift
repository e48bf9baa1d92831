public import Pipelines

/// A picture of a pipeline: its nodes as cards, its signals as wires from left to right.
public struct SignalDiagram: Sendable {
    private let diagram: Diagram

    /// Creates the picture of a pipeline, with the latencies of its plan.
    public init(of pipeline: Pipeline, latencies: GraphLatencies) {
        diagram = Diagram(of: pipeline, latencies: latencies)
    }

    /// The picture as a self-contained SVG document, without scripts or external references.
    public var svg: String { Sheet(showing: diagram).svg }

    /// The graph in the DOT language of Graphviz.
    public var dot: String { DOTGraph(showing: diagram).text }
}
