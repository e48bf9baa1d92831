internal import Processing

/// The addresses of the values that nodes report.
///
/// `tape.recorded` and `tape.reports.recorded` are the same report. If the node has a parameter of
/// that name, as a player's `position`, the short address names the parameter, and the report has
/// only the long one: `backing.reports.position`.
enum ReportName {
    /// The part of the long address before the name.
    static let prefix = "reports."

    /// Returns the name of a report without the prefix of the long address.
    static func name(at address: String) -> String {
        address.hasPrefix(prefix) ? String(address.dropFirst(prefix.count)) : address
    }
}

extension NodeDescription {
    /// Returns the index in `allReports` of the report that the part of an address after the node
    /// names; `nil` without such a report.
    ///
    /// The caller looks for a parameter first.
    func reportIndex(at address: String) -> Int? {
        let name = ReportName.name(at: address)
        return allReports.firstIndex { $0.name == name }
    }
}

extension Pipeline {
    /// The place of a report: a node, and the index of the report in its description.
    public struct ReportAddress: Sendable, Equatable {
        /// The index of the node.
        public var node: Int
        /// The index in `NodeDescription.allReports`.
        public var report: Int

        /// Creates an address from its parts.
        public init(node: Int, report: Int) {
            self.node = node
            self.report = report
        }
    }

    /// Resolves `node.report` or `node.reports.report`.
    ///
    /// - Returns: The report; `nil` if the text names none, or a parameter of that name.
    public func report(at text: String) -> ReportAddress? {
        guard let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        let id = String(text[..<dot])
        let name = String(text[text.utf8.index(after: dot)...])
        guard let node = nodes.firstIndex(where: { $0.id == id }), !nodes[node].hasValue(at: name),
            let report = nodes[node].description.reportIndex(at: name)
        else { return nil }
        return ReportAddress(node: node, report: report)
    }

    /// Returns the address of a report: the short form, unless a parameter has it.
    public func text(of address: ReportAddress) -> String {
        let node = nodes[address.node]
        let name = node.description.allReports[address.report].name
        return node.id + "." + (node.hasValue(at: name) ? ReportName.prefix + name : name)
    }
}

extension Pipeline.Node {
    /// Returns whether the part of an address after the node names a value that can change.
    func hasValue(at name: String) -> Bool {
        guard let parameter = OwnParameter.name(at: name) else { return true }
        return parameters.contains { $0.name == parameter }
    }
}
