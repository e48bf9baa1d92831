/// A node, an input or an output as the drawing shows it.
package struct Card: Sendable, Equatable {
    package var kind: Kind
    /// The node's id, or the signal's name.
    package var name: String
    /// What it is, in words: the effect's or the plugin's name.
    package var label: String
    /// Channels that leave it, or for an output enter it; 0 for MIDI.
    package var channels: Int
    package var inlets: [Inlet]
    package var rows: [Row]
    /// Small print: where a port connects to, whether the limiter is on.
    package var notes: [String]
    package var isBypassed: Bool
    /// Wet share, from 0 through 1.
    package var mix: Double
    /// Its own latency; empty for none.
    package var latency: String

    /// What stands behind the card.
    package enum Kind: Sendable, Equatable { case input, output, effect, mixer, plugin }

    package init(
        _ kind: Kind, name: String, label: String = "", channels: Int = 1, inlets: [Inlet] = [],
        rows: [Row] = [], notes: [String] = [], isBypassed: Bool = false, mix: Double = 1,
        latency: String = ""
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
    }

    /// Whether it is a socket to the outside, not a node.
    package var isJack: Bool { kind == .input || kind == .output }

    /// A place where one wire enters.
    package struct Inlet: Sendable, Equatable {
        /// The strip's, the port's or the channels' name; empty where there is only one.
        package var label: String
        /// A strip's level and place.
        package var detail: String

        package init(label: String = "", detail: String = "") {
            self.label = label
            self.detail = detail
        }
    }

    /// One value.
    package struct Row: Sendable, Equatable {
        package var label: String
        package var value: String
        package var dial: Dial

        package init(label: String, value: String, dial: Dial = .none) {
            self.label = label
            self.value = value
            self.dial = dial
        }
    }

    /// The sign before a value.
    package enum Dial: Sendable, Equatable {
        case none
        /// A knob, and how far it is turned, from 0 through 1.
        case knob(Double)
        case lamp(Bool)
    }
}
