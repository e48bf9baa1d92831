public import Processing

/// The reason why a typed text is not a valid change.
public struct ChangeError: Error, Sendable, Equatable {
    /// A sentence without a full stop.
    public var message: String
    /// The text that the user probably meant.
    public var suggestion: String?

    init(_ message: String, suggestion: String? = nil) {
        self.message = message
        self.suggestion = suggestion
    }
}

extension Pipeline {
    /// Parses an address and a value as typed by a user, for example `verb.mix` and `0.5`.
    public func change(address: String, value: String) -> Result<Change, ChangeError> {
        change(address: address, to: .text(value))
    }

    /// Returns the change that gives an address a value.
    ///
    /// A text is read like typed text, and a toggle also accepts the numbers 0 and 1.
    ///
    /// - Parameters:
    ///   - address: The address, such as `verb.mix`.
    ///   - value: The value, in the parameter's unit if it is a number.
    /// - Returns: The change, or the reason why it is not possible.
    public func change(address: String, to value: Scalar) -> Result<Change, ChangeError> {
        self.address(address).flatMap { found in
            let isPlugin = if case .plugin = nodes[found.node].type { true } else { false }
            let parameter = parameter(at: found)
            let scalar = value.read(forToggle: parameter.kind == .toggle)
            switch parameter.value(of: scalar, isPlugin: isPlugin) {
            case .success(let value): return .success(Change(address: found, value: value))
            case .failure(let error):
                let typed = value.typed
                let given = typed.isEmpty ? "empty" : Quoted.shortened(typed)
                let message = "\(Quoted(address)) must be \(error.expected), not \(given)"
                return .failure(
                    ChangeError(
                        message,
                        suggestion: error.suggestion ?? Nearest.name(to: typed, in: error.names)))
            }
        }
    }

    /// Resolves `node.parameter`, `node.bypass`, `node.mix`, `node.parameters.mix` or
    /// `mixer.strip.parameter`.
    public func address(_ text: String) -> Result<Address, ChangeError> {
        guard let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")) else {
            return .failure(
                ChangeError("\(Quoted(text)) is not an address, which has the form node.parameter"))
        }
        let id = String(text[..<dot])
        guard let node = nodes.firstIndex(where: { $0.id == id }) else {
            let near = Nearest.name(to: id, in: nodes.map(\.id))
            let rest = String(text[dot...])
            return .failure(
                ChangeError("there is no node \(Quoted(id))", suggestion: near.map { $0 + rest }))
        }
        return target(String(text[text.utf8.index(after: dot)...]), of: nodes[node]).map {
            Address(node: node, target: $0)
        }
    }

    private func target(_ name: String, of node: Node) -> Result<Address.Target, ChangeError> {
        guard let parameter = OwnParameter.name(at: name) else {
            return .success(name == PipelineKeys.bypassName ? .bypass : .mix)
        }
        if let index = node.parameters.firstIndex(where: { $0.name == parameter }) {
            return .success(.parameter(index))
        }
        if node.description.reportIndex(at: name) != nil {
            let short = ReportName.name(at: name)
            return .failure(
                ChangeError(
                    "\(Quoted(node.id + "." + name)) is read-only: the node reports it",
                    suggestion: node.hasValue(at: short) ? node.id + "." + short : nil))
        }
        let near = OwnParameter.suggestion(
            for: name, among: node.parameters.map(\.name), nearest: { Nearest.name(to: $0, in: $1) }
        )
        return .failure(
            ChangeError(
                "\(Quoted(node.id)) has no parameter \(Quoted(name))",
                suggestion: near.map { node.id + "." + $0 }))
    }
}

extension Pipeline {
    /// Returns an address as written in files.
    public func text(of address: Address) -> String {
        let parameter = parameter(at: address)
        let isOwn = if case .parameter = address.target { true } else { false }
        return nodes[address.node].id + "." + (isOwn ? parameter.addressName : parameter.name)
    }

    /// Returns the description of an address: `bypass` is a toggle, `mix` a number from 0 to 1.
    public func parameter(at address: Address) -> ParameterDescription {
        switch address.target {
        case .parameter(let index): nodes[address.node].parameters[index]
        case .bypass: PipelineKeys.bypassParameter
        case .mix: PipelineKeys.mixParameter
        }
    }
}
