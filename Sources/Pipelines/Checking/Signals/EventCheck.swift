internal import Processing

/// Finds the nodes whose events MIDI outputs send.
struct EventCheck {
    let references: ReferenceCheck
    let nodes: [NodeDraft]
    private var context: CheckContext { references.context }

    init(references: ReferenceCheck, nodes: [NodeDraft]) {
        self.references = references
        self.nodes = nodes
    }

    /// Returns the index of each output's node; `nil` for audio outputs and without such a node.
    func sources(of outputs: [SignalDraft]) -> [Int?] {
        var users: [Int: String] = [:]
        return outputs.map { output in
            guard output.kind == .midi, let node = source(of: output), !nodes[node].isStandIn
            else { return nil }
            if let other = users[node] {
                report(
                    "the events of \(Quoted(nodes[node].id)) already go to the MIDI output \(Quoted(other))",
                    output)
            }
            users[node] = output.name
            return node
        }
    }

    /// Returns the node that `from` names; by default, the last node with MIDI output.
    private func source(of output: SignalDraft) -> Int? {
        guard let element = output.element else { return nil }
        switch context.fields(of: element).raw("from") {
        case .invalid: return nil
        case .absent: return nodes.lastIndex { $0.description?.description.sendsEvents == true }
        case .present(let from, _):
            guard let name = from.string else {
                report(
                    "a MIDI output sends the events of one node: give only the id of that node",
                    output)
                return nil
            }
            return source(named: name, output)
        }
    }

    private func source(named name: String, _ output: SignalDraft) -> Int? {
        guard case .node(let index) = references.nameTable[name] else {
            reportNoNode(name, output)
            return nil
        }
        guard let description = nodes[index].description?.description else { return nil }
        if description.sendsEvents { return index }
        report("\(Quoted(name)) sends no MIDI; only plugins with an event output do", output)
        return nil
    }

    private func reportNoNode(_ name: String, _ output: SignalDraft) {
        let nameTable = references.nameTable
        if let entry = nameTable[name] {
            return report(
                "\(Quoted(name)) is \(entry.kind); a MIDI output sends the events of a node",
                output)
        }
        guard nameTable.isComplete else { return }
        report(
            "there is no node \(Quoted(name))", output,
            suggestion: context.errors.suggestion(for: name, among: nameTable.nodeNames))
    }

    private func report(_ message: String, _ output: SignalDraft, suggestion: String? = nil) {
        let offset = (output.element?["from"]).map(\.start) ?? output.offset
        context.errors.report(.reference, at: offset, message, suggestion: suggestion)
    }
}
