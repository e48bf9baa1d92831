/// The text above a wire's end.
struct WireLabel {
    /// The channels and the latency.
    let plain: String
    /// The delay that aligns the signal with others, or the difference if it is not aligned.
    let delay: String

    private static let gap = 7.0

    init(of wire: Wire) {
        let channels = wire.channels > 2 && wire.selection.isEmpty ? "\(wire.channels) ch" : ""
        plain = [wire.selection, channels, wire.latency].filter { !$0.isEmpty }
            .joined(separator: " · ")
        delay = wire.alignment.isEmpty ? wire.lag : "+" + wire.alignment
    }

    /// The width of the label before the inlet, in pixels; 0 if there is no text.
    var width: Double {
        guard !plain.isEmpty || !delay.isEmpty else { return 0 }
        return Lettering.small.width(of: plain) + (plain.isEmpty || delay.isEmpty ? 0 : Self.gap)
            + Lettering.delay.width(of: delay) + 2 * Self.gap
    }

    /// Draws the label so that it ends directly before the wire's end.
    func draw(on canvas: inout Canvas, endingAt end: Point, weight: Double) {
        let base = Point(end.x - Self.gap - 3, end.y - weight / 2 - 4)
        canvas.text(delay, at: base, .delay, anchor: .end)
        let room = delay.isEmpty ? 0 : Lettering.delay.width(of: delay) + Self.gap
        canvas.text(plain, at: Point(base.x - room, base.y), .small, anchor: .end)
    }
}
