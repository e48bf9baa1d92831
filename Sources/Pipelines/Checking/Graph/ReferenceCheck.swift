internal import Processing

/// Resolves the signals that feed each node and each output.
struct ReferenceCheck {
    let context: CheckContext
    let nameTable: NameTable
    let inputs: [SignalDraft]
    /// The signals that feed the nodes and outputs of a setlist whose file does not name them; `nil`
    /// in a pipeline.
    var outerFeeds: OuterStandardFeeds?

    // MARK: Names

    /// Resolves the signal that `entry` names: a text, or an object with the key `signal`.
    func feed(_ entry: JSONElement) -> Feed {
        let element = entry["signal"] ?? entry
        let reference = SignalReference(element.string ?? "")
        let isKnownInvalid =
            context.errors.isInvalid(entry) || context.errors.isInvalid(element)
            || element.string == nil
        return Feed(
            reference: reference, source: isKnownInvalid ? nil : source(of: reference, at: element),
            offset: element.start, isAligned: entry["align"]?.bool ?? true)
    }

    private func source(
        of reference: SignalReference, at element: JSONElement
    ) -> Pipeline.Source? {
        switch nameTable[reference.name] {
        case .node(let index): return .node(index)
        case .input(let index):
            guard inputs[index].kind == .midi else { return .input(index) }
            report(reference, "is a MIDI input and carries no audio", at: element)
        case .output where outerFeeds != nil:
            context.errors.report(
                .reference, at: element.start,
                "no song has an output \(Quoted(reference.name))",
                suggestion: context.errors.suggestion(
                    for: reference.name, among: nameTable.sourceNames))
        case .output:
            report(reference, "is an output and cannot be a source", at: element)
        case nil:
            guard nameTable.isComplete else { return nil }
            context.errors.report(
                .reference, at: element.start,
                "there is no node\(outerFeeds == nil ? " or input" : ", input or output of a song") \(Quoted(reference.name))",
                suggestion: context.errors.suggestion(
                    for: reference.name, among: nameTable.sourceNames))
        }
        return nil
    }

    private func report(_ reference: SignalReference, _ reason: String, at element: JSONElement) {
        context.errors.report(.reference, at: element.start, "\(Quoted(reference.name)) \(reason)")
    }

    // MARK: The key `from`

    /// Returns the signals in the key `from`, or in another key; `nil` if the key is absent.
    func feeds(from fields: Fields, key: String = "from") -> Feeds? {
        guard case .present(let from, _) = fields.raw(key) else {
            return fields.raw(key).isAbsent ? nil : .invalid
        }
        return .sideBySide((from.string != nil ? [from] : from.elements).map(feed))
    }

    /// Returns the first audio input, as if the file named it.
    func firstInput(at offset: Int) -> Feeds? {
        guard let index = inputs.firstIndex(where: { $0.kind == .audio }) else { return nil }
        return input(index, at: offset)
    }

    /// Returns an input, as if the file named it.
    func input(_ index: Int, at offset: Int) -> Feeds {
        standard(.input(index), name: inputs[index].name, at: offset)
    }

    private func standard(_ source: Pipeline.Source, name: String, at offset: Int) -> Feeds {
        .sideBySide([Feed(reference: SignalReference(allOf: name), source: source, offset: offset)])
    }

    // MARK: Nodes

    /// Returns the signals that feed the node at `index`.
    func feeds(ofNode index: Int, in nodes: [NodeDraft]) -> Feeds {
        let node = nodes[index]
        guard case .object = node.element.content else { return .invalid }
        let fields = context.fields(of: node.element)
        if case .present(let members, let element) = fields.map("ports") {
            return ports(members, at: element, of: node, fields)
        }
        if fields.map("ports").isInvalid { return .invalid }
        let isSource = node.description?.isSource == true
        if node.isStandIn, node.description == nil { return feeds(ofUnknownType: index, in: nodes) }
        if isSource, case .present(let from, _) = fields.raw("from") { return refuse(from, node) }
        if let feeds = feeds(from: fields) { return feeds }
        guard node.description != nil else { return .invalid }
        if isSource { return .nothing }
        return standardFeeds(ofNode: index, in: nodes)
    }

    /// Returns the signals that feed a node whose type is not known.
    ///
    /// A node with `events` and without `from` is taken for an instrument, which has no input.
    private func feeds(ofUnknownType index: Int, in nodes: [NodeDraft]) -> Feeds {
        let fields = context.fields(of: nodes[index].element)
        if let feeds = feeds(from: fields) { return feeds }
        let hasSource = index > 0 || inputs.contains { $0.kind == .audio }
        guard hasSource, fields.raw("events").isAbsent else { return .nothing }
        return standardFeeds(ofNode: index, in: nodes)
    }

    /// Reports a `from` on a node without audio inputs.
    private func refuse(_ from: JSONElement, _ node: NodeDraft) -> Feeds {
        guard let description = node.description?.description else { return .invalid }
        let hint = description.receivesEvents ? "; use \"events\" to name its MIDI input" : ""
        context.errors.report(
            .channels, at: from.start,
            "\(Quoted(description.label)) has no audio input and does not accept \"from\"" + hint)
        return .invalid
    }

    /// Returns the default feed: the previous node, or the first audio input for the first node.
    private func standardFeeds(ofNode index: Int, in nodes: [NodeDraft]) -> Feeds {
        let offset = nodes[index].element.start
        if let start = outerFeeds?.chains[index] {
            if let input = start.input { return self.input(input, at: offset) }
            if nameTable.isComplete {
                context.errors.report(.reference, at: offset, start.reason)
            }
            return .invalid
        }
        if index > 0 {
            return standard(.node(index - 1), name: nodes[index - 1].id, at: offset)
        }
        if let feeds = firstInput(at: offset) { return feeds }
        if nameTable.isComplete {
            context.errors.report(
                .reference, at: offset,
                "nothing feeds the first node: the file has no audio input and the node has no \"from\""
            )
        }
        return .invalid
    }

    /// Returns the signals in the key `ports`.
    private func ports(
        _ members: [JSONMember], at element: JSONElement, of node: NodeDraft, _ fields: Fields
    ) -> Feeds {
        if case .present(_, let from) = fields.raw("from") {
            context.errors.report(
                .reference, at: from.start,
                "\"from\" and \"ports\" cannot be used together; remove one")
            return .invalid
        }
        let feeds = members.map { ($0, feed($0.value)) }
        guard let inputs = node.description?.ports?.inputs else {
            return node.isStandIn ? .sideBySide(feeds.map(\.1)) : .invalid
        }
        return .ports(
            feeds.compactMap { member, feed in
                guard let port = inputs.firstIndex(where: { $0.symbol == member.key }) else {
                    reportPort(member, of: inputs.map(\.symbol))
                    return nil
                }
                return (port, feed)
            })
    }

    private func reportPort(_ member: JSONMember, of symbols: [String]) {
        let known = Quantity.alternatives(symbols.map { Quoted($0).description })
        context.errors.report(
            .reference, at: member.start,
            "the plugin has no audio input \(Quoted(member.key))"
                + (symbols.isEmpty ? "" : "; use \(known)"),
            suggestion: context.errors.suggestion(for: member.key, among: symbols))
    }

    // MARK: Events

    /// Returns the MIDI input that feeds the node's events.
    func events(of node: NodeDraft) -> Int? {
        let fields = context.fields(of: node.element)
        guard case .present(let name, let element) = fields.text("events") else { return nil }
        if let description = node.description, !description.description.receivesEvents {
            // The key of another effect is reported as unknown.
            guard description.isPlugin else { return nil }
            context.errors.report(
                .reference, at: element.start,
                "the plugin \(Quoted(description.description.label)) has no event input")
            return nil
        }
        return midiInput(name, at: element)
    }

    /// Returns the MIDI input with a name; reports an unknown name.
    func midiInput(_ name: String, at element: JSONElement) -> Int? {
        if case .input(let index) = nameTable[name], inputs[index].kind == .midi { return index }
        let names = inputs.filter { $0.kind == .midi }.map(\.name)
        if nameTable.isComplete || nameTable[name] != nil {
            context.errors.report(
                .reference, at: element.start, "there is no MIDI input \(Quoted(name))",
                suggestion: context.errors.suggestion(for: name, among: names))
        }
        return nil
    }
}
