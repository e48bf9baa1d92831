internal import OfflineHost
internal import Pipelines
internal import Processing
internal import SessionCore
internal import SessionTexts

/// Reports the incidents of nodes during a render.
struct RenderReport {
    private let pipeline: Pipeline
    /// Whether a take ended early.
    private(set) var hasIncompleteTake = false

    init(of pipeline: Pipeline) { self.pipeline = pipeline }

    /// Whether a player became silent before its end.
    private(set) var hasSilencedPlayer = false

    /// Reports everything that a render has recorded.
    mutating func report(_ render: OfflineRender) {
        for (node, incident) in render.incidents { report(incident, of: node) }
        for node in render.nonFiniteNodes.sorted() {
            notify(node, "produced NaN or infinity and was silenced")
        }
        for (node, count) in render.droppedMessages.sorted(by: { $0.key < $1.key }) {
            notify(node, "dropped \(count) MIDI messages because a buffer was full")
        }
        for (node, frames) in render.reportedLatencies.sorted(by: { $0.key < $1.key }) {
            notify(node, "latency is now \(frames) frames; parallel paths are not aligned again")
        }
    }

    /// Reports an incident of a node.
    mutating func report(_ incident: Incident, of node: String) {
        if case .takeStopped = incident { hasIncompleteTake = true }
        if case .silenced = incident { hasSilencedPlayer = true }
        let label = pipeline.nodes.first { $0.id == node }?.description.label ?? ""
        let event = SessionEvent.incident(node: node, plugin: label, incident)
        if let line = EventText.line(for: event) { Console.notify(line) }
    }

    private func notify(_ node: Int, _ text: String) {
        Console.notify("\(pipeline.nodes[node].id): \(text)")
    }
}
