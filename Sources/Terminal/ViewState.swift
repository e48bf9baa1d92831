package import SessionCore

/// Everything that the view shows.
package struct ViewState {
    /// A peak in dB that counts as full scale, with room for rounding.
    private static let clippingDecibels = -0.01

    /// The values of all addresses.
    private var values: [String: Value] = [:]
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
    /// The number of xruns since the session began.
    private(set) var xruns = 0
    /// The node that took most of the time in the last overrun.
    private(set) var overrunNode: String?
    /// The load of each node, the highest first.
    private(set) var nodeLoads: [SessionStatus.NodeLoad] = []
    /// The latency from the sound card's input to its output; `nil` until it is known.
    private(set) var latencySeconds: Double?
    /// The lowest linear gain of the limiters; 1 if they were not active.
    private(set) var limiterGain = 1.0
    /// The node that the key `b` bypasses.
    package private(set) var chosenNode: String?
    /// Whether the view shows the full list of keys.
    private(set) var showsHelp = false
    /// The reason why the last request was refused; `nil` otherwise.
    package private(set) var refusal: String?
    /// Whether the view reads keys.
    let hasKeys: Bool

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
    package init(_ overview: SessionOverview, hasKeys: Bool = true) {
        self.overview = overview
        self.hasKeys = hasKeys
    }

    // MARK: Values

    /// The nodes that can be bypassed, sorted by name.
    var nodes: [String] {
        values.keys.compactMap { key in
            guard key.hasSuffix(".bypass") else { return nil }
            let node = key.dropLast(".bypass".count)
            // A longer address belongs to a plugin's own parameter with that name.
            return node.contains(".") ? nil : String(node)
        }.sorted()
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
        case .addressesChanged: values = [:]
        case .overviewChanged(let overview): receive(overview)
        case .level(let port, let peak, let rms): receive(peak: peak, rms: rms, of: port)
        case .load(let mean, let worst, let xruns):
            load = (mean, worst)
            self.xruns = xruns
        case .pitch(let hertz): self.hertz = hertz
        case .status(let status): receive(status)
        case .overrun(let node, _): overrunNode = node
        default: break
        }
    }

    /// Updates the state from the answer to a request.
    package mutating func receive(_ answer: Answer) {
        switch answer {
        case .done, .preparing, .pending: refusal = nil
        // They may arrive long after their requests, when the view shows another refusal.
        case .playing, .edited, .compared: break
        case .values(let entries): for entry in entries { receive(entry) }
        case .refused(let reason, let suggestion):
            refusal = reason + (suggestion.map { " (did you mean \($0)?)" } ?? "")
        }
    }

    private mutating func receive(_ entry: AddressValue) {
        values[entry.address] = entry.value
        if entry.address == "tuner" { hertz = 0 }
    }

    /// Removes the ports and nodes of the previous song; the next events add the remaining ones
    /// again.
    private mutating func receive(_ overview: SessionOverview) {
        self.overview = overview
        ports = []
        meters = [:]
        overrunNode = nil
        nodeLoads = []
    }

    private mutating func receive(_ status: SessionStatus) {
        latencySeconds = Double(status.roundTripFrames) / status.sampleRate
        limiterGain = status.limiterGain
        nodeLoads = status.nodes.sorted { $0.worst > $1.worst }
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
        switch key {
        case .character("n"): return .request(.perform(.nextScene))
        case .character("p"): return .request(.perform(.previousScene))
        case .character("N"), .pageDown: return .request(.perform(.nextSong))
        case .character("P"), .pageUp: return .request(.perform(.previousSong))
        case .character("m"): return .request(.set("mute", .toggle(!isOn("mute"))))
        case .character("t"): return .request(.perform(.tap))
        case .character("s"): return .request(.perform(.save))
        case .character("!"): return .request(.perform(.panic))
        case .character("u"): return .request(.set("tuner", .text(nextTunerInput)))
        case .character("b"): return bypassAction()
        case .character("q"): return .quit
        case .character("c"): clearClipping()
        case .character("?"): showsHelp.toggle()
        case .escape: showsHelp = false
        case .up: choose(by: -1)
        case .down: choose(by: 1)
        case .character: break
        }
        return nil
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
        guard !nodes.isEmpty else { return }
        guard let chosenNode, let index = nodes.firstIndex(of: chosenNode) else {
            self.chosenNode = step > 0 ? nodes.first : nodes.last
            return
        }
        self.chosenNode = nodes[(index + step + nodes.count) % nodes.count]
    }

    private mutating func clearClipping() {
        for port in ports { meters[port]?.hasClipped = false }
    }
}
