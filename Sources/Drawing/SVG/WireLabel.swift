/// The words above a wire where it arrives.
struct WireLabel {
    /// Which channels, and how late.
    let plain: String
    /// How long it is held back.
    let delay: String

    private static let gap = 7.0

    init(of wire: Wire) {
        let channels = wire.channels > 2 && wire.selection.isEmpty ? "\(wire.channels) ch" : ""
        plain = [wire.selection, channels, wire.latency].filter { !$0.isEmpty }
            .joined(separator: " · ")
        delay = wire.alignment.isEmpty ? "" : "+" + wire.alignment
    }

    /// The room it takes before the inlet, in pixels; 0 without words.
    var width: Double {
        guard !plain.isEmpty || !delay.isEmpty else { return 0 }
        return Lettering.small.width(of: plain) + (plain.isEmpty || delay.isEmpty ? 0 : Self.gap)
            + Lettering.delay.width(of: delay) + 2 * Self.gap
    }

    /// Writes it so that it ends just before the wire does.
    func draw(on canvas: inout Canvas, endingAt end: Point, weight: Double) {
        let base = Point(end.x - Self.gap - 3, end.y - weight / 2 - 4)
        canvas.text(delay, at: base, .delay, anchor: .end)
        let room = delay.isEmpty ? 0 : Lettering.delay.width(of: delay) + Self.gap
        canvas.text(plain, at: Point(base.x - room, base.y), .small, anchor: .end)
    }
}
