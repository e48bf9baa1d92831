internal import Processing

/// Finds the nodes that MIDI outputs get their events from.
struct EventCheck {
    let references: ReferenceCheck
    let nodes: [NodeDraft]
    private var context: CheckContext { references.context }

    init(references: ReferenceCheck, nodes: [NodeDraft]) {
        self.references = references
        self.nodes = nodes
    }

    /// For each output the place of its node; nil for audio, and where no node gives MIDI.
    func sources(of outputs: [SignalDraft]) -> [Int?] {
        var takers: [Int: String] = [:]
        return outputs.map { output in
            guard output.kind == .midi, let node = source(of: output) else { return nil }
            if let taker = takers[node] {
                report(
                    "what \(Quoted(nodes[node].id)) gives goes to the midi output \(Quoted(taker)) already",
                    output)
            }
            takers[node] = output.name
            return node
        }
    }

    /// The node that `from` names; without it, the last that gives MIDI.
    private func source(of output: SignalDraft) -> Int? {
        guard let element = output.element else { return nil }
        switch context.fields(of: element).raw("from") {
        case .faulty: return nil
        case .absent: return nodes.lastIndex { $0.description?.description.givesEvents == true }
        case .present(let from, _):
            guard let name = from.string else {
                report("a midi output takes the events of one node, by its id alone", output)
                return nil
            }
            return source(named: name, output)
        }
    }

    private func source(named name: String, _ output: SignalDraft) -> Int? {
        guard case .node(let place) = references.directory[name] else {
            reportNoNode(name, output)
            return nil
        }
        guard let description = nodes[place].description?.description else { return nil }
        if description.givesEvents { return place }
        report("\(Quoted(name)) gives no midi, only plugins with an event output do", output)
        return nil
    }

    private func reportNoNode(_ name: String, _ output: SignalDraft) {
        let directory = references.directory
        if let entry = directory[name] {
            return report(
                "\(Quoted(name)) is \(entry.kind); a midi output takes the events of a node", output
            )
        }
        guard directory.isComplete else { return }
        report(
            "there is no node \(Quoted(name))", output,
            suggestion: context.faults.suggestion(for: name, among: directory.nodeNames))
    }

    private func report(_ message: String, _ output: SignalDraft, suggestion: String? = nil) {
        let offset = (output.element?["from"]).map(\.start) ?? output.offset
        context.faults.report(.reference, at: offset, message, suggestion: suggestion)
    }
}
