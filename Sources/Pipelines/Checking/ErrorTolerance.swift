/// Decides which errors of a pipeline file a session tolerates.
struct ErrorTolerance {
    private let text: FileText

    /// The keys of a pipeline whose faulty parts can be left out.
    private static let optionalKeys: Set = [
        "cores", "description", "midi", "name", "scene", "scenes", "send", "tail", "tempo",
    ]
    /// The keys of a node whose faulty parts can be left out.
    private static let optionalNodeKeys: Set = ["bypass", "mix", "parameters", "when-late"]
    /// The keys of a node that determine its connections or its name.
    private static let structuralNodeKeys: Set = ["events", "from", "id", "ports"]

    /// Creates a decision for a file that has been checked.
    init(text: FileText) { self.text = text }

    /// Returns the problems with which a pipeline plays; `nil` if it cannot play.
    ///
    /// The pipeline is the result of a tolerant check of the file.
    func problems(of pipeline: Pipeline) -> [Problem]? {
        let elements = text.document.root["nodes"]?.elements ?? []
        guard pipeline.nodes.count == elements.count, pipeline.hasSignalFlow else { return nil }
        var problems: [Problem] = []
        for (error, diagnostic) in text.errors.locatedErrors(of: text.document, file: text.file) {
            guard let (consequence, node) = consequence(of: error, pipeline, elements) else {
                return nil
            }
            problems.append(
                Problem(
                    node: node.map { pipeline.nodes[$0].id }, diagnostic: diagnostic,
                    consequence: consequence))
        }
        return problems
    }

    /// Returns the consequence of an error, and the index of the node that contains it; `nil` if
    /// the pipeline cannot play with the error.
    private func consequence(
        of error: PipelineError, _ pipeline: Pipeline, _ elements: [JSONElement]
    ) -> (Problem.Consequence, node: Int?)? {
        guard error.code != .syntax, error.code != .limit,
            let member = text.document.root.member(at: error.offset)
        else { return nil }
        if let index = elements.firstIndex(where: { $0.contains(error.offset) }) {
            return Self.consequence(of: error, in: pipeline.nodes[index], elements[index])
                .map { ($0, index) }
        }
        let isUnknownKey = error.code == .unknownKey && error.offset == member.start
        return isUnknownKey || Self.optionalKeys.contains(member.key) ? (.ignored, nil) : nil
    }

    /// Returns the consequence of an error in a node; `nil` if the node cannot play with it.
    static func consequence(
        of error: PipelineError, in node: Pipeline.Node, _ element: JSONElement
    ) -> Problem.Consequence? {
        let standIn: Problem.Consequence = node.hasInput ? .dry : .silent
        guard let member = element.member(at: error.offset) else {
            // A key is missing.
            let isTolerable = error.code == .missingKey && node.isStandIn && !node.id.isEmpty
            return isTolerable ? standIn : nil
        }
        if error.code == .unknownKey, error.offset == member.start { return .ignored }
        if Self.optionalNodeKeys.contains(member.key) { return .ignored }
        if Self.structuralNodeKeys.contains(member.key) { return nil }
        return node.isStandIn ? standIn : .ignored
    }
}

extension Pipeline {
    /// Whether the sources of all nodes and outputs are known.
    fileprivate var hasSignalFlow: Bool { Self.hasSignalFlow(nodes, outputs) }

    fileprivate static func hasSignalFlow(_ nodes: [Node], _ outputs: [Output]) -> Bool {
        nodes.allSatisfy { !$0.instances.isEmpty }
            && outputs.allSatisfy {
                $0.kind == .midi || ($0.channels > 0 && $0.taps.count == $0.channels)
            }
    }
}

extension OuterSignals {
    /// Whether the sources of all nodes and outputs are known.
    var hasSignalFlow: Bool { Pipeline.hasSignalFlow(nodes, outputs) }
}

extension Pipeline.Node {
    /// Whether the node has any audio input.
    fileprivate var hasInput: Bool { instances.joined().contains { $0 != nil } }
}

extension JSONElement {
    /// Returns the member whose key or value contains an offset.
    fileprivate func member(at offset: Int) -> JSONMember? {
        members.first { ($0.start..<max($0.start + 1, $0.value.end)).contains(offset) }
    }

    /// Returns whether an offset is in the text of the value.
    func contains(_ offset: Int) -> Bool { start <= offset && offset < end }
}
