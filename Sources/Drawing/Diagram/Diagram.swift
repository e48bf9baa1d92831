/// What a drawing shows, before anything has a place: cards, and the wires between them.
package struct Diagram: Sendable {
    package var title: String
    package var summary: String
    /// Inputs, then nodes, then outputs, each in the file's order.
    package var cards: [Card]
    package var wires: [Wire]
    package var scenes: [Listing]
    package var bindings: [Listing]
    /// Latency in all, in milliseconds and frames.
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

/// A line of a list under the picture.
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
    /// The card it leaves, by its place in the diagram.
    package var source: Int
    /// The card it enters.
    package var destination: Int
    /// The inlet it enters, by its place in the card.
    package var inlet: Int
    /// How many channels it carries; 0 for MIDI.
    package var channels: Int
    /// Which of the source's channels it takes, where that isn't all of them.
    package var selection: String
    /// How late the signal is when it leaves its source; empty for no latency.
    package var latency: String
    /// How long it is held back, so that it meets the other signals in time; empty for not at all.
    package var alignment: String

    package init(
        from source: Int, to destination: Int, inlet: Int = 0, channels: Int = 1,
        selection: String = "", latency: String = "", alignment: String = ""
    ) {
        self.source = source
        self.destination = destination
        self.inlet = inlet
        self.channels = channels
        self.selection = selection
        self.latency = latency
        self.alignment = alignment
    }
}
