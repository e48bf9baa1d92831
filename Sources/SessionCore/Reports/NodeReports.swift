package import Engine
internal import Pipelines
internal import Processing

/// A value that a node reports: read-only for everyone outside.
public struct NodeReport: Sendable, Equatable {
    /// The address in the form used in requests.
    public var address: String
    /// The current value; `nil` before the node has run.
    public var value: Value?
    /// The symbol of a number's unit, such as `dB`; empty if it has none.
    public var unit: String

    /// Creates a report from its parts.
    public init(_ address: String, _ value: Value?, unit: String = "") {
        self.address = address
        self.value = value
        self.unit = unit
    }
}

/// The latest values and texts that the nodes of the active schedule report.
///
/// Values arrive from the audio thread about 12 times per second. Texts are read after each set of
/// values, on the session's thread.
package struct NodeReports {
    private var pipeline: Pipeline
    private var nodes: [Node]

    /// The reports of one node.
    private struct Node {
        let id: String
        let description: NodeDescription
        let readTexts: Processor.ReportTexts?
        /// The values that the audio thread has reported; `nil` for a value that has not arrived.
        var numbers: [Float?]
        var texts: [String?]

        init(_ node: Pipeline.Node, _ readTexts: Processor.ReportTexts?) {
            id = node.id
            description = node.description
            self.readTexts = readTexts
            numbers = Array(repeating: nil, count: node.description.reports.count)
            texts = Array(repeating: nil, count: node.description.textReports.count)
        }

        var hasNoReports: Bool { numbers.isEmpty && texts.isEmpty }

        /// Returns the value of a report, given by its index in `allReports`.
        func value(_ report: Int) -> Value? {
            guard report < numbers.count else {
                return texts[report - numbers.count].map(Value.text)
            }
            return numbers[report].map { Value($0, description.reports[report].kind) }
        }
    }

    /// Creates the reports of a schedule, without values.
    package init(of schedule: ActiveSchedule) {
        pipeline = schedule.pipeline
        nodes = zip(schedule.pipeline.nodes, schedule.reportTexts).map(Node.init)
    }

    /// Continues with another schedule; nodes with the same id and type keep their values until
    /// new ones arrive.
    package mutating func follow(_ schedule: ActiveSchedule) {
        var next = NodeReports(of: schedule)
        let present = Dictionary(nodes.map { ($0.id, $0) }) { first, _ in first }
        for index in next.nodes.indices where !next.nodes[index].hasNoReports {
            let node = next.nodes[index]
            guard let former = present[node.id], former.description == node.description else {
                continue
            }
            next.nodes[index].numbers = former.numbers
            next.nodes[index].texts = former.texts
        }
        self = next
    }

    /// Receives a report of the engine.
    ///
    /// - Returns: The values that have changed.
    package mutating func receive(_ report: Report) -> [NodeReport] {
        switch report {
        case .value(let node, let index, let value):
            set(value, ofReport: Int(index), ofNode: Int(node))
        // The engine sends it after the values of all nodes.
        case .totalLoad: nodes.indices.flatMap { readTexts(ofNode: $0) }
        default: []
        }
    }

    private mutating func set(
        _ value: Float, ofReport report: Int, ofNode node: Int
    ) -> [NodeReport] {
        // Nodes that only ring out have no addresses any more.
        guard nodes.indices.contains(node), nodes[node].numbers.indices.contains(report),
            nodes[node].numbers[report] != value
        else { return [] }
        nodes[node].numbers[report] = value
        return [entry(at: Pipeline.ReportAddress(node: node, report: report))]
    }

    private mutating func readTexts(ofNode node: Int) -> [NodeReport] {
        guard let read = nodes[node].readTexts else { return [] }
        let texts = read(nodes[node].numbers.map { $0 ?? 0 })
        let count = nodes[node].numbers.count
        var changes: [NodeReport] = []
        for (index, text) in texts.enumerated()
        where nodes[node].texts.indices.contains(index) && nodes[node].texts[index] != text {
            nodes[node].texts[index] = text
            changes.append(entry(at: Pipeline.ReportAddress(node: node, report: count + index)))
        }
        return changes
    }

    // MARK: Reading

    /// Finds the report that an address names; `nil` if it names none, or a parameter.
    package func report(at address: String) -> NodeReport? {
        pipeline.report(at: address).map(entry)
    }

    /// All reports, in the order of the pipeline.
    package var entries: [NodeReport] {
        nodes.indices.flatMap { node in
            nodes[node].description.allReports.indices.map {
                entry(at: Pipeline.ReportAddress(node: node, report: $0))
            }
        }
    }

    private func entry(at address: Pipeline.ReportAddress) -> NodeReport {
        let node = nodes[address.node]
        return NodeReport(
            pipeline.text(of: address), node.value(address.report),
            unit: node.description.allReports[address.report].unit.rawValue)
    }
}

extension Value {
    /// Creates the value of a reported number.
    fileprivate init(_ number: Float, _ kind: ReportDescription.Kind) {
        switch kind {
        case .number: self = .number(number.shortest)
        case .toggle: self = .toggle(number >= 0.5)
        case .choice(let names):
            let name = Int(exactly: number).flatMap {
                names.indices.contains($0) ? names[$0] : nil
            }
            self = name.map(Value.text) ?? .number(number.shortest)
        }
    }
}
