package import SessionCore

/// The contents of the view.
package struct ViewState {
    /// A peak in dB that counts as full scale, with room for rounding.
    private static let clippingDecibels = -0.01

    /// The values of all addresses.
    private var values: [String: Value] = [:]
    /// Everything that nodes report, in the order of the pipeline.
    package private(set) var reports: [NodeReport] = []
    /// The songs, scenes and inputs to choose from.
    private(set) var overview: SessionOverview
    /// The level of each port.
    package private(set) var meters: [String: Meter] = [:]
    /// The ports in the order in which their first levels arrived.
    private(set) var ports: [String] = []
    /// The pitch that the tuner detects, in Hz; 0 if it detects no pitch.
    private(set) var hertz = 0.0
    /// The mean and the worst load, as shares of the period.
    private(set) var load = (mean: 0.0, worst: 0.0)
    /// The load of each core, as a share of the period; empty if only one core may be used.
    private(set) var coreLoads: [Double] = []
    /// The number of xruns since the session began.
    private(set) var xruns = 0
    /// The node that took most of the time in the last overrun.
    private(set) var overrunNode: String?
    /// The nodes and their loads.
    private var nodeList = NodeList()
    /// The latency from the sound card's input to its output; `nil` until it is known.
    private(set) var latencySeconds: Double?
    /// The lowest linear gain of the limiters; 1 if they were not active.
    private(set) var limiterGain = 1.0
    /// The connections of the JACK ports; empty until they are known.
    private(set) var connections: [SessionConnections.Port] = []
    /// The node that the key `b` bypasses.
    package private(set) var chosenNode: String?
    /// The errors that the session tolerates, a line each.
    private(set) var problems: [String] = []
    /// Whether the view shows the full list of keys.
    private(set) var showsHelp = false
    /// The reason why the last request was refused; `nil` otherwise.
    package private(set) var refusal: String?
    /// Whether another song or scene began since the last answer.
    private var hasStepped = false
    /// The song that was skipped since the last answer, and why; `nil` without one.
    private var skip: String?
    /// Whether the view reads keys.
    let hasKeys: Bool
    /// Whether devices can be paired.
    let canPair: Bool

    /// The level of a port.
    package struct Meter: Equatable {
        /// The peak level, in dB.
        var peak: Double
        /// The RMS level, in dB.
        var rms: Double
        /// Whether the level was at full scale since the mark was cleared.
        package var hasClipped = false
    }

    /// Creates the state of a session that has not begun.
    package init(
        _ overview: SessionOverview, hasKeys: Bool = true, canPair: Bool = false
    ) {
        self.overview = overview
        self.hasKeys = hasKeys
        self.canPair = canPair
    }

    // MARK: Values

    /// The loads of the nodes that use the most time, in the order of the pipeline.
    var nodeLoads: [SessionStatus.NodeLoad] { nodeList.shown }

    /// The nodes that can be bypassed, in the order of the pipeline, then those whose place is not
    /// known yet, sorted by name.
    var nodes: [String] {
        let names = values.keys.compactMap { key -> String? in
            guard key.hasSuffix(".bypass") else { return nil }
            let node = key.dropLast(".bypass".count)
            // A longer address belongs to a plugin's own parameter with that name.
            return node.contains(".") ? nil : String(node)
        }
        let placed = nodeList.names.filter(names.contains)
        return placed + names.filter { !placed.contains($0) }.sorted()
    }

    /// Returns whether a toggle is on.
    func isOn(_ address: String) -> Bool { values[address] == .toggle(true) }

    /// Returns whether a node is bypassed.
    func isBypassed(_ node: String) -> Bool { isOn("\(node).bypass") }

    /// Returns the text value of an address; empty if it has no text.
    func text(_ address: String) -> String {
        if case .text(let text) = values[address] { text } else { "" }
    }

    /// Returns the number value of an address; `nil` if it has no number.
    func number(_ address: String) -> Double? {
        if case .number(let number) = values[address] { number } else { nil }
    }

    /// Returns the index of the value of `scene` or `song`, a name or a number from 1, in a list.
    func index(of address: String, in names: [String]) -> Int? {
        if let number = number(address) {
            return Int(exactly: number).flatMap(names.index(number:))
        }
        return names.firstIndex(of: text(address))
    }

    // MARK: Events

    /// Updates the state from an event of the session.
    package mutating func receive(_ event: SessionEvent) {
        switch event {
        case .valueChanged(let entry): receive(entry)
        case .reportChanged(let report): receive(report)
        case .addressesChanged:
            values = [:]
            reports = []
            nodeList.removeAll()
        case .song, .scene: hasStepped = true
        case .overviewChanged(let overview): receive(overview)
        case .level(let port, let peak, let rms): receive(peak: peak, rms: rms, of: port)
        case .load(let mean, let worst, let xruns):
            load = (mean, worst)
            self.xruns = xruns
        case .pitch(let hertz): self.hertz = hertz
        case .status(let status): receive(status)
        case .overrun(let node, _): overrunNode = node
        case .connections(let connections): self.connections = connections.ports
        case .problems(let problems): self.problems = ProblemSummary.lines(problems)
        case .songSkipped(let name, let reason):
            skip = "\"\(name)\" is skipped: \(reason)"
            refusal = skip
        default: break
        }
    }

    /// Updates the state from the answer to a request.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - request: The request of a key; `nil` for other requests. If its answer arrives without a
    ///     change, the reason is shown.
    package mutating func receive(_ answer: Answer, to request: SessionRequest? = nil) {
        defer {
            hasStepped = false
            skip = nil
        }
        switch answer {
        case .done: refusal = skip ?? (hasStepped ? nil : reasonWithoutEffect(of: request))
        case .preparing, .pending: refusal = skip
        // It may arrive long after its request, when the view shows another refusal.
        case .playing:
            if !hasStepped, skip == nil, let reason = reasonWithoutEffect(of: request) {
                refusal = reason
            }
        case .edited, .compared, .file, .kept: break
        case .notEdited(let edit): refusal = edit.message
        case .values(let entries): for entry in entries { receive(entry) }
        case .reports(let all): reports = all
        case .description, .ports: break
        case .refused(let reason, let suggestion):
            refusal = reason + (suggestion.map { " (did you mean \($0)?)" } ?? "")
        }
    }

    /// Returns the reason why a step to another song or scene changed nothing; `nil` if the list
    /// has not ended.
    private func reasonWithoutEffect(of request: SessionRequest?) -> String? {
        guard case .perform(let command)? = request else { return nil }
        switch command {
        case .nextScene: return endReason("scene", of: overview.scenes, isLast: true)
        case .previousScene: return endReason("scene", of: overview.scenes, isLast: false)
        case .nextSong: return endReason("song", of: overview.songs, isLast: true)
        case .previousSong: return endReason("song", of: overview.songs, isLast: false)
        case .tap, .panic, .fadeAll, .stopAll, .go, .back, .save, .saveScene, .undo, .redo,
            .compare, .keep:
            return nil
        }
    }

    /// Returns the reason why a list has no further entry; `nil` if it has one.
    private func endReason(_ address: String, of names: [String], isLast: Bool) -> String? {
        guard let end = isLast ? names.indices.last : names.indices.first else {
            return address == "song"
                ? "There are no other songs, because this file is not a setlist"
                : "This song has no scenes"
        }
        guard index(of: address, in: names) == end else { return nil }
        return "\"\(names[end])\" is the \(isLast ? "last" : "first") \(address)"
    }

    private mutating func receive(_ entry: AddressValue) {
        values[entry.address] = entry.value
        if entry.address == "tuner" { hertz = 0 }
    }

    private mutating func receive(_ report: NodeReport) {
        if let index = reports.firstIndex(where: { $0.address == report.address }) {
            reports[index] = report
        } else {
            reports.append(report)
        }
    }

    /// Removes the ports and nodes of the previous song; the next events add the remaining ones
    /// again.
    private mutating func receive(_ overview: SessionOverview) {
        self.overview = overview
        ports = []
        meters = [:]
        overrunNode = nil
        nodeList.removeAll()
    }

    private mutating func receive(_ status: SessionStatus) {
        latencySeconds = Double(status.roundTripFrames) / status.sampleRate
        limiterGain = status.limiterGain
        coreLoads = status.coreLoads
        nodeList.receive(status.nodes, chosen: chosenNode)
    }

    private mutating func receive(peak: Double, rms: Double, of port: String) {
        if meters[port] == nil { ports.append(port) }
        let hadClipped = meters[port]?.hasClipped ?? false
        meters[port] = Meter(
            peak: peak, rms: rms, hasClipped: hadClipped || peak >= Self.clippingDecibels)
    }

    // MARK: Keys

    /// Handles a key: changes the view, or returns the action that the caller must perform.
    package mutating func press(_ key: Key) -> KeyAction? {
        refusal = nil
        // A binding of the file replaces the view's own action.
        if let name = key.name, overview.keys.contains(name) {
            return .request(.pressKey(name))
        }
        switch key {
        case .character("n"): return .request(.perform(.nextScene))
        case .character("p"): return .request(.perform(.previousScene))
        case .character(" "): return .request(.perform(.go))
        case .character("B"): return .request(.perform(.back))
        case .character("N"), .pageDown: return .request(.perform(.nextSong))
        case .character("P"), .pageUp: return .request(.perform(.previousSong))
        case .character("m"): return .request(.set("mute", .toggle(!isOn("mute"))))
        case .character("t"): return .request(.perform(.tap))
        case .character("s"): return .request(.perform(.save))
        case .character("!"): return .request(.perform(.panic))
        case .character("u"): return tunerAction()
        case .character("b"): return bypassAction()
        case .character("q"): return .quit
        case .character("r") where canPair: return .pair
        case .character("c"): clearClipping()
        case .character("?"): showsHelp.toggle()
        case .escape: showsHelp = false
        case .up: choose(by: -1)
        case .down: choose(by: 1)
        case .character, .named: refusal = "This key has no action; ? shows all keys"
        }
        return nil
    }

    private mutating func tunerAction() -> KeyAction? {
        guard !overview.inputs.isEmpty else {
            refusal = "There is no audio input to tune"
            return nil
        }
        return .request(.set("tuner", .text(nextTunerInput)))
    }

    private mutating func bypassAction() -> KeyAction? {
        guard let node = chosenNode, nodes.contains(node) else {
            refusal = nodes.isEmpty ? "There is no node to bypass" : "Choose a node with up or down"
            return nil
        }
        return .request(.set("\(node).bypass", .toggle(!isBypassed(node))))
    }

    /// The tuner input after the current one: from no input through all inputs, and back to no
    /// input.
    private var nextTunerInput: String {
        let inputs = overview.inputs.map(\.reference)
        let present = text("tuner")
        guard !present.isEmpty else { return inputs.first ?? "" }
        guard let index = inputs.firstIndex(of: present), index + 1 < inputs.count else {
            return ""
        }
        return inputs[index + 1]
    }

    private mutating func choose(by step: Int) {
        let nodes = nodes
        guard !nodes.isEmpty else {
            refusal = "There is no node to choose"
            return
        }
        guard let chosenNode, let index = nodes.firstIndex(of: chosenNode) else {
            self.chosenNode = step > 0 ? nodes.first : nodes.last
            return
        }
        self.chosenNode = nodes[(index + step + nodes.count) % nodes.count]
    }

    private mutating func clearClipping() {
        guard ports.contains(where: { meters[$0]?.hasClipped == true }) else {
            refusal = "Nothing has clipped"
            return
        }
        for port in ports { meters[port]?.hasClipped = false }
    }
}
