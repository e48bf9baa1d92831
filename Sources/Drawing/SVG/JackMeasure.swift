/// The size of an input or an output, with its text and a ring for each of its sockets, in pixels.
struct JackMeasure {
    let card: Card

    static let ring = 15.0
    static let words = 12.0
    static let inletHeight = 42.0
    private static let widestNote = 190.0
    private static let noteHeight = 14.0

    init(_ card: Card) { self.card = card }

    /// The number of rings next to each other; two for stereo.
    var ringCount: Int { card.inlets.count > 1 ? 1 : min(max(card.channels, 1), 2) }

    /// The distance that the rings extend inwards from the edge with the wire.
    var ringsWidth: Double { 2 * Self.ring + Double(ringCount - 1) * Self.ring * 1.35 }

    var width: Double {
        let texts =
            [Lettering.name.width(of: card.name), Lettering.label.width(of: card.label)]
            + notes.map(Lettering.small.width)
            + card.inlets.map { Lettering.label.width(of: $0.label) }
        return ringsWidth + Self.words + (texts.max() ?? 0)
    }

    /// The small print, shortened: whether the card belongs to the setlist, two lines for each row of
    /// the card, then its notes.
    var notes: [String] {
        ((card.isOuter ? [Card.outerCaption] : []) + card.rows.flatMap { [$0.label, $0.value] }
            + card.notes.prefix(4))
            .map { Lettering.small.fit($0, width: Self.widestNote) }
    }

    var height: Double {
        let sockets =
            CardMeasure.headHeight / 2 + Self.ring
            + Double(max(card.inlets.count, 1) - 1) * Self.inletHeight
        return max(sockets, 40 + Double(notes.count) * Self.noteHeight) + 6
    }

    var inletOffsets: [Double] {
        card.inlets.indices.map { CardMeasure.headHeight / 2 + Double($0) * Self.inletHeight }
    }

    var outletOffset: Double { CardMeasure.headHeight / 2 }

    /// Returns the baseline of a note.
    func noteBase(_ index: Int) -> Double { 51 + Double(index) * Self.noteHeight }
}
