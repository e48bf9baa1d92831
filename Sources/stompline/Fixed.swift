extension Double {
    /// The number with so many digits after the point: `0.1.fixed(2)` is "0.10".
    func fixed(_ digits: Int) -> String {
        guard isFinite, magnitude < 1e15 else { return "\(self)" }
        let scale = (0..<digits).reduce(1.0) { value, _ in value * 10 }
        let scaled = Int((magnitude * scale).rounded())
        let whole = scaled / Int(scale)
        let sign = self < 0 && scaled > 0 ? "-" : ""
        if digits == 0 { return "\(sign)\(whole)" }
        let fraction = String(scaled % Int(scale))
        return "\(sign)\(whole)." + String(repeating: "0", count: digits - fraction.count)
            + fraction
    }
}
