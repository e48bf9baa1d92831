internal import Processing

/// Resolves addresses: `node.parameter`, `node.bypass`, `node.mix`, `node.parameters.mix`,
/// `mixer.strip.parameter`.
struct AddressCheck {
    let context: CheckContext
    let nameTable: NameTable
    let nodes: [NodeDraft]
    /// The parameter names of each node; `nil` for nodes whose type is not known.
    let parameters: [NodeParameters?]

    init(context: CheckContext, nameTable: NameTable, nodes: [NodeDraft]) {
        self.context = context
        self.nameTable = nameTable
        self.nodes = nodes
        parameters = nodes.map(NodeParameters.init)
    }

    /// The target of an address.
    struct Target {
        var address: Pipeline.Address
        var parameter: ParameterDescription
        var isPlugin: Bool
    }

    /// Resolves the address at `offset`, and reports an address that is not valid.
    ///
    /// Returns `nil` if the address is not valid or if an error hides its node.
    func target(_ text: String, at offset: Int) -> Target? {
        guard let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")) else {
            report(
                text, "an address has the form \"node.parameter\"", at: offset,
                near: nearAddress(text))
            return nil
        }
        let name = String(text[text.utf8.index(after: dot)...])
        guard case .node(let index) = nameTable[String(text[..<dot])] else {
            reportNode(String(text[..<dot]), name, text, at: offset)
            return nil
        }
        return target(name, ofNode: index, text, at: offset)
    }

    private func target(
        _ name: String, ofNode index: Int, _ text: String, at offset: Int
    ) -> Target? {
        let isPlugin = parameters[index]?.type.isPlugin ?? false
        func target(_ what: Pipeline.Address.Target, _ parameter: ParameterDescription) -> Target {
            Target(
                address: Pipeline.Address(node: index, target: what), parameter: parameter,
                isPlugin: isPlugin)
        }
        guard let parameter = OwnParameter.name(at: name) else {
            return name == PipelineKeys.bypassName
                ? target(.bypass, PipelineKeys.bypassParameter)
                : target(.mix, PipelineKeys.mixParameter)
        }
        guard let known = parameters[index] else { return nil }
        switch known.match(parameter) {
        case .parameter(let parameterIndex, let parameter):
            return target(.parameter(parameterIndex), parameter)
        case .hidden: return nil
        case .none:
            if known.type.description.reportIndex(at: name) != nil {
                report(text, "it is read-only: the node reports it", at: offset, near: nil)
                return nil
            }
            if known.type.settings[name] != nil {
                report(
                    text, "it is a setting, which only a scene can change", at: offset, near: nil)
                return nil
            }
            let near = OwnParameter.suggestion(
                for: name, among: known.names,
                nearest: { context.errors.suggestion(for: $0, among: $1) })
            let id = nodes[index].id
            report(
                text, "\(Quoted(id)) has no parameter \(Quoted(name))", at: offset,
                near: near.map { id + "." + $0 })
            return nil
        }
    }

    // MARK: Diagnostics

    private func reportNode(_ id: String, _ name: String, _ text: String, at offset: Int) {
        guard nameTable.isComplete else { return }
        let near = context.errors.suggestion(for: id, among: nameTable.nodeNames)
        report(
            text, "there is no node \(Quoted(id))", at: offset, near: near.map { $0 + "." + name })
    }

    /// Suggests an address for the name of a node alone: the node's first parameter.
    private func nearAddress(_ text: String) -> String? {
        guard case .node(let index) = nameTable[text] else { return nil }
        let first = parameters[index]?.type.parameters.first?.name ?? PipelineKeys.mixName
        return text + "." + first
    }

    private func report(_ text: String, _ reason: String, at offset: Int, near: String?) {
        context.errors.report(
            .reference, at: offset, "the address \(Quoted(text)) is not valid: \(reason)",
            suggestion: near)
    }
}
