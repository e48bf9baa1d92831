internal import Processing

/// Reads the id, the type and the description of each node.
struct NodeCheck {
    let context: CheckContext

    /// Returns the nodes in the order of the file; `nil` if the key has the wrong type.
    ///
    /// - Parameter key: The key that contains the nodes.
    /// - Returns: The nodes.
    func drafts(of key: String = "nodes") -> [NodeDraft]? {
        switch context.fields(of: context.document.root).list(key) {
        case .absent: []
        case .invalid: nil
        case .present(let elements, _): elements.map(draft)
        }
    }

    private func draft(_ element: JSONElement) -> NodeDraft {
        let fields = context.fields(of: element)
        let (type, description) = type(of: fields)
        return NodeDraft(
            element: element, id: element["id"]?.string ?? "", type: type,
            description: description)
    }

    private func type(of fields: Fields) -> (Pipeline.NodeType?, TypeDescription?) {
        guard case .present(let name, let element) = fields.text("type") else { return (nil, nil) }
        if name == PipelineKeys.pluginType { return plugin(fields) }
        guard let description = context.types.effect(name) else {
            reportUnknown(name, at: element)
            return (nil, nil)
        }
        return (.effect(name), description)
    }

    private func reportUnknown(_ name: String, at element: JSONElement) {
        let names = context.types.effectNames.sorted() + [PipelineKeys.pluginType]
        context.errors.report(
            .unknownType, at: element.start,
            "there is no effect \(Quoted(name)); for a plugin, use the type \"lv2\" and its \"uri\""
                + searchHint(for: name),
            suggestion: name.contains("://")
                ? PipelineKeys.pluginType : context.errors.suggestion(for: name, among: names))
    }

    /// Returns the command that finds plugins for a wrong type; empty if no plugin matches.
    private func searchHint(for name: String) -> String {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let isWord = name.utf8.allSatisfy {
            letters.contains($0 | 0x20) || $0 == UInt8(ascii: "-")
        }
        guard isWord, (3...30).contains(name.utf8.count), !context.errors.isFull,
            context.types.hasPlugins(matching: name)
        else { return "" }
        return ", which \"stompline plugins \(name)\" finds"
    }

    // MARK: Plugins

    private func plugin(_ fields: Fields) -> (Pipeline.NodeType?, TypeDescription?) {
        guard case .present(let uri, let element) = fields.text("uri") else { return (nil, nil) }
        switch context.types.plugin(uri) {
        case .success(let description):
            checkFeatures(description.description, at: element)
            return (.plugin(uri), description)
        case .failure(let error):
            reportUnusable(uri, error, at: element)
            return (.plugin(uri), nil)
        }
    }

    private func reportUnusable(_ uri: String, _ error: PluginError, at element: JSONElement) {
        let isMissing = error.isMissing
        let named = isMissing ? context.types.plugins(named: uri) : []
        guard named.isEmpty else { return reportName(uri, of: named, at: element) }
        if isMissing { context.errors.countMissingPlugin() }
        context.errors.report(
            .plugin, at: element.start, error.message,
            suggestion: isMissing
                ? context.errors.suggestion(for: uri, among: context.types.installedPlugins) : nil)
    }

    /// Reports a plugin's name that is given instead of its URI.
    private func reportName(_ name: String, of uris: [String], at element: JSONElement) {
        let isOne = uris.count == 1
        context.errors.report(
            .plugin, at: element.start,
            "\"uri\" needs the URI of a plugin, but \(Quoted(name)) is the name of "
                + (isOne ? "one; write " : "several; write ") + Quantity.alternatives(uris),
            suggestion: isOne ? uris[0] : nil)
    }

    private func checkFeatures(_ description: NodeDescription, at element: JSONElement) {
        let missing = description.missingFeatures
        guard !missing.isEmpty else { return }
        let features = missing.map { Quoted($0).description }
        context.errors.report(
            .plugin, at: element.start,
            "the plugin \(Quoted(description.label)) requires features that are not supported: "
                + features.joined(separator: ", "))
    }
}
