internal import NIOCore
internal import Pipelines
internal import SessionCore

/// The messages with the changes of one turn; pages with the same changes share them.
struct ChangeTexts {
    private let state: LiveState
    /// The snapshots, by the part `access` of their pages.
    private var snapshots: [String: ByteBuffer] = [:]
    private var parts: [StatePart: ByteBuffer] = [:]
    private var values: [(addresses: Set<String>, reports: Set<String>, message: ByteBuffer)] = []

    init(_ state: LiveState) { self.state = state }

    /// Returns the snapshot for a page with a part `access`.
    mutating func snapshotMessage(access: String) -> ByteBuffer {
        if let made = snapshots[access] { return made }
        let made = ByteBuffer(string: state.snapshot(access: access))
        snapshots[access] = made
        return made
    }

    /// Returns the message with a part `access`.
    func message(access: String) -> ByteBuffer {
        ByteBuffer(string: partText(AccessJSON.name, access))
    }

    /// Returns the message with a part.
    mutating func message(_ part: StatePart) -> ByteBuffer {
        if let made = parts[part] { return made }
        let made = ByteBuffer(string: partText(part.rawValue, state.text(of: part)))
        parts[part] = made
        return made
    }

    private func partText(_ name: String, _ value: String) -> String {
        let head: JSONValue = .object([
            PageMessageName.part.member, .init("revision", .integer(state.revision)),
            .init("name", .string(name)),
        ])
        return head.text.dropLast() + ", \"value\": \(value)}"
    }

    /// Returns the message with values and reports.
    mutating func message(values addresses: Set<String>, reports: Set<String>) -> ByteBuffer {
        if let made = values.first(where: { $0.addresses == addresses && $0.reports == reports }) {
            return made.message
        }
        var members: [JSONValue.Member] = [
            PageMessageName.values.member, .init("revision", .integer(state.revision)),
        ]
        if !addresses.isEmpty { members.append(.init("values", state.valuesObject(addresses))) }
        if !reports.isEmpty { members.append(.init("reports", state.reportsObject(reports))) }
        let made = ByteBuffer(string: JSONValue.object(members).text)
        values.append((addresses, reports, made))
        return made
    }

    /// Returns the message with an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - droppedCount: The number of events before it that were dropped.
    /// - Returns: The message.
    func message(_ event: LiveEvent, droppedCount: Int) -> ByteBuffer {
        var members: [JSONValue.Member] = [
            PageMessageName.event.member, .init("revision", .integer(state.revision)),
        ]
        members += event.members
        if droppedCount > 0 { members.append(.init("dropped", .integer(droppedCount))) }
        return ByteBuffer(string: JSONValue.object(members).text)
    }
}
