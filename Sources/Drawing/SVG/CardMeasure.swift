/// The size of a card, and the offsets of its parts below its upper edge, in pixels.
struct CardMeasure {
    let card: Card

    static let padding = 14.0
    static let headHeight = 46.0
    static let inletHeight = 24.0
    static let rowHeight = 21.0
    static let foot = 9.0
    static let dialRoom = 22.0
    private static let narrowest = 132.0
    private static let columnGap = 18.0
    private static let badgeHeight = 22.0

    init(_ card: Card) { self.card = card }

    /// Whether inlets have rows with names; a single inlet without a name enters at the head.
    var namesInlets: Bool { card.inlets.count > 1 || card.inlets.contains { !$0.label.isEmpty } }

    /// The values, followed by the wet share if it is less than 1.
    var rows: [Card.Row] {
        guard card.mix < 1 else { return card.rows }
        let percent = DrawnNumber.plain(card.mix * 100, decimals: 1) + " % wet"
        return card.rows + [
            Card.Row(
                label: "mix", value: percent, dial: .knob(card.mix),
                address: card.name + ".mix")
        ]
    }

    var width: Double {
        let head = Lettering.name.width(of: card.name) + headExtra
        let rows = rows.map { row in
            Self.dialRoom + Lettering.label.width(of: row.label) + Self.columnGap
                + Lettering.value.width(of: row.value)
        }
        let inlets = card.inlets.map { inlet in
            Lettering.label.width(of: inlet.label) + Self.columnGap
                + Lettering.value.width(of: inlet.detail)
        }
        let widest = ([head, Lettering.label.width(of: card.label)] + rows + inlets).max() ?? 0
        return max(Self.narrowest, widest + 2 * Self.padding)
    }

    private var headExtra: Double {
        card.latency.isEmpty ? 0 : Self.columnGap + Lettering.small.width(of: card.latency)
    }

    var height: Double {
        rowsTop + Double(rows.count) * Self.rowHeight + (card.isBypassed ? Self.badgeHeight : 0)
            + (hasBody ? Self.foot : 0)
    }

    private var hasBody: Bool { namesInlets || !rows.isEmpty || card.isBypassed }

    var inletOffsets: [Double] {
        guard namesInlets else { return card.inlets.map { _ in Self.headHeight / 2 } }
        return card.inlets.indices.map { index in
            Self.headHeight + 4 + (Double(index) + 0.5) * Self.inletHeight
        }
    }

    /// A mixer's output leaves at the middle of its strips, that of other cards at the head.
    var outletOffset: Double {
        guard card.kind == .mixer, let first = inletOffsets.first, let last = inletOffsets.last
        else { return Self.headHeight / 2 }
        return (first + last) / 2
    }

    /// The offset of the first value.
    var rowsTop: Double {
        Self.headHeight
            + (namesInlets ? 4 + Double(card.inlets.count) * Self.inletHeight : 0)
            + (hasBody ? 5 : 0)
    }
}
