internal import Realtime

extension Double {
    /// The number with so many digits after its point, at most 6: `(2.666).fixed(1)` is "2.7".
    package func fixed(_ digits: Int) -> String {
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        guard let scaled = Int(exactly: (magnitude * Double(scale)).rounded()) else {
            return "\(self)"
        }
        let sign = self < 0 && scaled != 0 ? "-" : ""
        guard digits > 0 else { return sign + "\(scaled)" }
        let fraction = "\(scaled % scale)"
        let zeros = String(repeating: "0", count: digits - fraction.count)
        return sign + "\(scaled / scale)." + zeros + fraction
    }

    /// An amplitude in dB, -160 at the least.
    package var decibels: Double {
        self > 0 ? max(-160, Decibels(amplitude: self).value) : -160
    }
}
