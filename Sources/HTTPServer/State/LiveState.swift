internal import Pipelines
internal import SessionCore
internal import SessionTexts

/// The state of a session that pages show, with the revision of each change.
///
/// Values and reports are current only while a client listens to them; the parts from events are
/// always current.
struct LiveState {
    /// A value, the revision of its last change, and the time of that, in seconds.
    private struct Entry {
        var value: Value
        var revision: Int
        var changedSeconds: Double
    }

    /// A change that makes older requests stale.
    private struct Mark {
        var revision = 0
        var seconds = -Double.infinity

        func isSeenLate(revision seen: Int, nowSeconds: Double) -> Bool {
            revision > seen && nowSeconds - seconds > LiveState.graceSeconds
        }
    }

    /// The time in which a change may still be on its way to a page, in seconds.
    private static let graceSeconds = 0.5
    /// The number of events that new pages get.
    private static let keptEvents = 50
    /// The shortest time between two values of the part `status`, in seconds.
    private static let statusSeconds = 0.95

    /// The number of the last change.
    private(set) var revision = 1
    /// Whether values, reports and the description are current.
    private(set) var isCurrent = false
    private var values: [String: Entry] = [:]
    /// The addresses of the values, in the order of the session.
    private var valueOrder = AddressOrder()
    private var reports: [String: Value?] = [:]
    private var reportOrder = AddressOrder()
    private var parts: [StatePart: String]
    private var facts = SessionFacts()
    private var events: [LiveEvent] = []
    /// The ports of the channels of the meters, inputs first.
    private(set) var meterPorts: [String] = []
    /// The names of the channels of the binary meters of nodes, in order.
    private(set) var nodeChannels: [String] = []
    /// The files that play.
    private(set) var files: [SessionFiles.File] = []
    /// Whether `files` is current: from the first announcement on, events keep it so.
    var knowsFiles: Bool { !files.isEmpty }
    /// The last status of the session, for the metrics.
    private(set) var status: SessionStatus?
    private var statusSeconds = -Double.infinity
    /// The number of tolerated errors.
    private(set) var problemCount = 0
    /// The last change of the addresses.
    private var structure = Mark()
    /// The last change of the song, the scene, the cue or the file.
    private var stage = Mark()
    private let run: String
    private let version: String

    /// Creates the state before the session begins.
    ///
    /// - Parameters:
    ///   - version: The version of the program.
    ///   - run: A text that differs in each run of the program.
    init(version: String, run: String) {
        self.version = version
        self.run = run
        parts = [
            .overview: "null", .pipeline: "null", .problems: "[]", .connections: "null",
            .ports: "null",
            .status: "null", .meters: "[]", .nodeMeters: "[]", .files: "[]",
            .history: FilesJSON.object(SessionFiles.History()).text,
        ]
        parts[.session] = facts.json.text
    }

    /// Whether the JACK server runs the session.
    var isRunning: Bool { facts.server == .running }

    // MARK: Changes

    /// Notes that the rights of a client have changed.
    mutating func noteAccess() { revision += 1 }

    /// Notes that no client listens to values any more.
    mutating func sleep() { isCurrent = false }

    /// Adopts a description of the session.
    ///
    /// - Returns: The changes.
    mutating func follow(
        _ description: SessionDescription, nowSeconds: Double
    ) -> StateChanges {
        var changes = StateChanges()
        facts.rename(to: description.name)
        meterPorts = description.inputPorts + description.outputPorts
        set(.session, to: facts.json, &changes)
        let isKnown = parts[.pipeline] != "null"
        set(.pipeline, to: PipelineJSON(description).object, &changes)
        set(.overview, to: OverviewJSON.object(description), &changes)
        set(.meters, to: OverviewJSON.meters(description), &changes)
        nodeChannels = description.pipeline.nodes.flatMap { node in
            (0..<node.outputChannels).map { NodeLevel.channelName(node.id, $0) }
        }
        set(.nodeMeters, to: OverviewJSON.nodeMeters(description), &changes)
        follow(description.files.files, &changes)
        set(.history, to: FilesJSON.object(description.files.history), &changes)
        if changes.parts.contains(.pipeline) || changes.parts.contains(.overview) {
            changes.needsSnapshot = true
            if isKnown {
                structure = Mark(revision: revision, seconds: nowSeconds)
                stage = structure
            }
        }
        replaceValues(description.values, &changes, nowSeconds)
        let known = Set(description.reports.map(\.address))
        reports = reports.filter { known.contains($0.key) }
        reportOrder = AddressOrder(description.reports.map(\.address))
        for report in description.reports { receive(report, &changes) }
        isCurrent = true
        return changes
    }

    private mutating func follow(
        _ newFiles: [SessionFiles.File], _ changes: inout StateChanges
    ) {
        files = newFiles
        set(.files, to: FilesJSON.array(newFiles), &changes)
    }

    private mutating func replaceValues(
        _ entries: [AddressValue], _ changes: inout StateChanges, _ nowSeconds: Double
    ) {
        let known = Set(entries.map(\.address))
        values = values.filter { known.contains($0.key) }
        valueOrder = AddressOrder(entries.map(\.address))
        for entry in entries { receive(entry, &changes, nowSeconds: nowSeconds) }
    }

    /// Receives the value of an address.
    mutating func receive(
        _ entry: AddressValue, _ changes: inout StateChanges, nowSeconds: Double
    ) {
        let former = values[entry.address]
        guard former?.value != entry.value else { return }
        if former == nil { valueOrder.add(entry.address) }
        revision += 1
        values[entry.address] = Entry(
            value: entry.value, revision: revision, changedSeconds: nowSeconds)
        changes.values.insert(entry.address)
    }

    /// Receives a value that a node reports.
    mutating func receive(_ report: NodeReport, _ changes: inout StateChanges) {
        guard reports[report.address] != .some(report.value) else { return }
        reportOrder.add(report.address)
        revision += 1
        reports.updateValue(report.value, forKey: report.address)
        changes.reports.insert(report.address)
    }

    /// Receives any other event.
    mutating func receive(
        _ event: SessionEvent, _ changes: inout StateChanges, nowSeconds: Double,
        wallSeconds: Double
    ) {
        facts.follow(event)
        set(.session, to: facts.json, &changes)
        switch event {
        case .problems(let problems):
            problemCount = problems.count
            set(.problems, to: Self.member("problems", of: event), &changes)
        case .connections: set(.connections, to: Self.members(of: event), &changes)
        case .serverPorts(let ports):
            set(.ports, to: .array(ports.map(\.jsonWithMetadata)), &changes)
        case .filesChanged(let files): follow(files, &changes)
        case .historyChanged(let history):
            set(.history, to: FilesJSON.object(history), &changes)
        case .status(let status): receive(status, &changes, nowSeconds)
        case .song, .scene, .cue, .reloaded, .fileEdited:
            revision += 1
            stage = Mark(revision: revision, seconds: nowSeconds)
            add(event, &changes, wallSeconds)
        case .serverLost:
            set(.connections, to: .null, &changes)
            set(.ports, to: .null, &changes)
            add(event, &changes, wallSeconds)
        default: add(event, &changes, wallSeconds)
        }
    }

    private mutating func receive(
        _ newStatus: SessionStatus, _ changes: inout StateChanges, _ nowSeconds: Double
    ) {
        status = newStatus
        guard nowSeconds - statusSeconds >= Self.statusSeconds else { return }
        statusSeconds = nowSeconds
        var shown = newStatus
        shown.reports = []
        set(.status, to: Self.members(of: .status(shown)), &changes)
    }

    private mutating func add(
        _ event: SessionEvent, _ changes: inout StateChanges, _ wallSeconds: Double
    ) {
        guard let object = EventJSON.object(for: event) else { return }
        revision += 1
        let entry = LiveEvent(
            time: (wallSeconds * 1000).rounded() / 1000, event: object,
            text: EventText.line(for: event))
        if events.count >= Self.keptEvents { events.removeFirst() }
        events.append(entry)
        changes.events.append(entry)
    }

    private mutating func set(
        _ part: StatePart, to value: JSONValue, _ changes: inout StateChanges
    ) {
        let text = value.text
        guard parts[part] != text else { return }
        revision += 1
        parts[part] = text
        changes.parts.insert(part)
    }

    /// Returns the members of an event, without its name.
    private static func members(of event: SessionEvent) -> JSONValue {
        guard case .object(let members)? = EventJSON.object(for: event) else { return .null }
        return .object(members.filter { $0.key != "event" && $0.key != "reports" })
    }

    private static func member(_ key: String, of event: SessionEvent) -> JSONValue {
        guard case .object(let members)? = EventJSON.object(for: event) else { return .null }
        return members.first { $0.key == key }?.value ?? .null
    }

    // MARK: Stale requests

    /// Returns whether a page that has seen a revision must not change an address.
    func isStale(_ address: String, seen: Int, nowSeconds: Double) -> Bool {
        if structure.revision > seen { return true }
        guard let entry = values[address], entry.revision > seen else { return false }
        return nowSeconds - entry.changedSeconds > Self.graceSeconds
    }

    /// Returns whether a page that has seen a revision must not step through songs, scenes and
    /// cues, or edit the file.
    func isStageStale(seen: Int, nowSeconds: Double) -> Bool {
        stage.isSeenLate(revision: seen, nowSeconds: nowSeconds)
    }

    // MARK: Texts

    /// Returns the value of an address; `nil` if it has no value.
    func value(_ address: String) -> Value? { values[address]?.value }

    /// Returns whether a node reports a value with this address.
    func hasReport(_ address: String) -> Bool { reports.index(forKey: address) != nil }

    /// The text of a part.
    func text(of part: StatePart) -> String { parts[part] ?? "null" }

    /// Returns the values of addresses as an object, in the order of the session.
    func valuesObject(_ addresses: Set<String>? = nil) -> JSONValue {
        .object(
            (addresses.map(valueOrder.sorted) ?? valueOrder.all).compactMap { address in
                values[address].map { .init(address, $0.value.json) }
            })
    }

    /// Returns what nodes report as an object, in the order of the session.
    func reportsObject(_ addresses: Set<String>? = nil) -> JSONValue {
        .object(
            (addresses.map(reportOrder.sorted) ?? reportOrder.all).compactMap { address in
                reports[address].map { .init(address, $0?.json ?? .null) }
            })
    }

    /// Returns the snapshot.
    ///
    /// - Parameter access: The text of the part `access`, which differs for each client.
    /// - Returns: The text.
    func snapshot(access: String) -> String {
        let head: JSONValue = .object([
            PageMessageName.snapshot.member, .init("revision", .integer(revision)),
            .init("protocol", 1), .init("version", .string(version)), .init("run", .string(run)),
        ])
        var text = String(head.text.dropLast())
        for part in StatePart.allCases { text += ", \"\(part.rawValue)\": \(self.text(of: part))" }
        text += ", \"\(AccessJSON.name)\": \(access)"
        let events = JSONValue.array(events.map { .object($0.members) })
        text += ", \"values\": \(valuesObject().text), \"reports\": \(reportsObject().text)"
        return text + ", \"events\": \(events.text)}"
    }
}
