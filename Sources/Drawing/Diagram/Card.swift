/// A node, an input or an output as the drawing shows it.
package struct Card: Sendable, Equatable {
    package var kind: Kind
    /// The node's id, or the signal's name.
    package var name: String
    /// The label of the effect or plugin.
    package var label: String
    /// The number of channels that leave the card, or for an output enter it; 0 for MIDI.
    package var channels: Int
    package var inlets: [Inlet]
    package var rows: [Row]
    /// Small print, such as the ports to connect to, or whether the limiter is off.
    package var notes: [String]
    package var isBypassed: Bool
    /// The wet share, from 0 through 1.
    package var mix: Double
    /// The node's own latency; empty if the node has no latency.
    package var latency: String
    /// Whether the card belongs to the setlist around the song.
    package var isOuter: Bool

    /// The word that marks a card of the setlist.
    static let outerCaption = "setlist"

    /// The kind of element that the card shows.
    package enum Kind: Sendable, Equatable { case input, output, effect, mixer, plugin }

    package init(
        _ kind: Kind, name: String, label: String = "", channels: Int = 1, inlets: [Inlet] = [],
        rows: [Row] = [], notes: [String] = [], isBypassed: Bool = false, mix: Double = 1,
        latency: String = "", isOuter: Bool = false
    ) {
        self.kind = kind
        self.name = name
        self.label = label
        self.channels = channels
        self.inlets = inlets
        self.rows = rows
        self.notes = notes
        self.isBypassed = isBypassed
        self.mix = mix
        self.latency = latency
        self.isOuter = isOuter
    }

    /// The accessible name: the words in the head of the card, and its state.
    var spoken: String {
        let kind =
            switch self.kind {
            case .input: "input"
            case .output: "output"
            case .effect, .mixer, .plugin: ""
            }
        let words = [
            name, kind, label, latency.isEmpty ? "" : "latency \(latency)",
            isBypassed ? "bypassed" : "", isOuter ? Self.outerCaption : "",
        ]
        return words.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Whether the card is an input or an output, not a node.
    package var isJack: Bool { kind == .input || kind == .output }

    /// A point at which one wire enters.
    package struct Inlet: Sendable, Equatable {
        /// The name of the strip, port or channels; empty if there is only one inlet.
        package var label: String
        /// The level and pan of a strip.
        package var detail: String
        /// The address before the names of a strip's parameters, such as `desk.mic`; empty if the
        /// inlet is no strip.
        package var address: String

        package init(label: String = "", detail: String = "", address: String = "") {
            self.label = label
            self.detail = detail
            self.address = address
        }
    }

    /// One value.
    package struct Row: Sendable, Equatable {
        package var label: String
        package var value: String
        package var dial: Dial
        /// The address of the value; empty for a setting.
        package var address: String

        package init(label: String, value: String, dial: Dial = .none, address: String = "") {
            self.label = label
            self.value = value
            self.dial = dial
            self.address = address
        }
    }

    /// The symbol before a value.
    package enum Dial: Sendable, Equatable {
        case none
        /// A knob, and its rotation from 0 through 1.
        case knob(Double)
        case lamp(Bool)
    }
}
