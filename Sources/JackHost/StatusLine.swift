/// The one line that a terminal shows while a session plays.
public struct StatusLine {
    private let name: String
    private let widthCharacters: Int

    /// - Parameters:
    ///   - name: What stands first: the client's name.
    ///   - widthCharacters: The terminal's width; the line is cut to it.
    public init(name: String, widthCharacters: Int) {
        self.name = name
        self.widthCharacters = widthCharacters
    }

    /// The line: peaks, load, xruns, latency, and the limiter where it works.
    public func text(_ status: SessionStatus) -> String {
        let peaks = status.outputs.map { "\($0.port) \(Self.meter($0.peak))" }
        let load = "load \(percent(status.meanLoad)) worst \(percent(status.worstLoad))"
        let round = Double(status.roundTripFrames) / status.sampleRate * 1000
        var parts =
            [name] + peaks + [load, "xruns \(status.xruns)", "latency \(round.fixed(1)) ms"]
        if status.limiterGain < 1 {
            parts.append("limiter \(status.limiterGain.decibels.fixed(1)) dB")
        }
        // A line as wide as the terminal would wrap in some.
        return String(parts.joined(separator: "  ").prefix(max(1, widthCharacters - 1)))
    }

    /// A bar of ten cells from -60 to 0 dB, and the figure.
    private static func meter(_ peak: Double) -> String {
        let cells = Int(((peak.decibels + 60) / 6).rounded(.up))
        let full = min(10, max(0, cells))
        let bar = String(repeating: "▮", count: full) + String(repeating: "▯", count: 10 - full)
        let figure = peak.decibels.fixed(1)
        return bar + String(repeating: " ", count: max(1, 7 - figure.count)) + figure
    }

    private func percent(_ share: Double) -> String {
        let figure = (share * 100).fixed(0)
        return String(repeating: " ", count: max(0, 3 - figure.count)) + figure + " %"
    }
}
