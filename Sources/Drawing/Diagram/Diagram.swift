/// The content of a drawing before layout: cards, and the wires between them.
package struct Diagram: Sendable {
    package var title: String
    package var summary: String
    /// Inputs, then nodes, then outputs, each in the order of the file.
    package var cards: [Card]
    package var wires: [Wire]
    package var scenes: [Listing]
    package var bindings: [Listing]
    /// The total latency, in milliseconds and frames.
    package var latency: String

    package init(
        title: String, summary: String = "", cards: [Card], wires: [Wire], scenes: [Listing] = [],
        bindings: [Listing] = [], latency: String = ""
    ) {
        self.title = title
        self.summary = summary
        self.cards = cards
        self.wires = wires
        self.scenes = scenes
        self.bindings = bindings
        self.latency = latency
    }
}

/// A line of a list below the picture.
package struct Listing: Sendable, Equatable {
    package var name: String
    package var entries: [String]

    package init(name: String, entries: [String]) {
        self.name = name
        self.entries = entries
    }
}

/// A signal from one card's outlet to an inlet of another.
package struct Wire: Sendable, Equatable {
    /// The index of the card that the wire leaves.
    package var source: Int
    /// The index of the card that the wire enters.
    package var destination: Int
    /// The index of the inlet in the destination card.
    package var inlet: Int
    /// The number of channels; 0 for MIDI.
    package var channels: Int
    /// The channels of the source that the wire carries; empty for all of them.
    package var selection: String
    /// The latency of the signal at its source; empty if the signal has no latency.
    package var latency: String
    /// The delay that aligns the signal with others; empty if the signal is not delayed.
    package var alignment: String
    /// The difference to the signals that it meets, if it is not aligned with them; otherwise empty.
    package var lag: String

    package init(
        from source: Int, to destination: Int, inlet: Int = 0, channels: Int = 1,
        selection: String = "", latency: String = "", alignment: String = "", lag: String = ""
    ) {
        self.source = source
        self.destination = destination
        self.inlet = inlet
        self.channels = channels
        self.selection = selection
        self.latency = latency
        self.alignment = alignment
        self.lag = lag
    }
}
