internal import Processing
package import SessionCore
internal import Platform

/// The one line that a terminal shows while a session plays.
package struct StatusLine {
    private let name: String
    private let widthCharacters: Int

    /// Creates a line for a terminal.
    ///
    /// - Parameters:
    ///   - name: The client's name, which comes first.
    ///   - widthCharacters: The width of the terminal.
    package init(name: String, widthCharacters: Int) {
        self.name = name.printable
        self.widthCharacters = widthCharacters
    }

    /// Returns peaks, load, xruns, latency, and the limiter if it is active.
    ///
    /// In a narrow terminal the name and then the bars are left out, and then the line is cut.
    package func text(_ status: SessionStatus) -> String {
        // In some terminals a line of full width would wrap.
        let room = max(1, widthCharacters - 1)
        let figures = figures(status)
        for (head, cells) in [([name], 10), ([], 10), ([], 4), ([], 0)] {
            let meters = status.outputs.map {
                "\($0.port.printable) \(Self.meter($0.peak, cells: cells))"
            }
            let line = (head + meters + figures).joined(separator: "  ")
            if line.count <= room || cells == 0 { return String(line.prefix(room)) }
        }
        return ""
    }

    private func figures(_ status: SessionStatus) -> [String] {
        let load = "load \(percent(status.meanLoad)), worst \(percent(status.worstLoad)) %"
        let milliseconds = Double(status.roundTripFrames) / status.sampleRate * 1000
        let limiter =
            status.limiterGain < 1 ? ["limiter \(status.limiterGain.decibels.fixed(1)) dB"] : []
        let cores =
            status.coreLoads.isEmpty
            ? []
            : ["cores " + status.coreLoads.map { percent($0) }.joined(separator: " ") + " %"]
        return [load] + cores + ["xruns \(status.xruns)", "\(milliseconds.fixed(1)) ms"] + limiter
    }

    /// Returns a bar from -60 to 0 dB, and the peak in dB.
    private static func meter(_ peak: Double, cells: Int) -> String {
        let share = (peak.decibels + 60) / 60
        let full = share.filling(cells: cells)
        let figure = peak.decibels.fixed(1)
        return String(repeating: "▮", count: full) + String(repeating: "▯", count: cells - full)
            + String(repeating: " ", count: max(0, 7 - figure.count)) + figure
    }

    private func percent(_ share: Double) -> String {
        let figure = (share * 100).fixed(0)
        return String(repeating: " ", count: max(0, 2 - figure.count)) + figure
    }
}
