internal import Pipelines
internal import Processing

extension Pipeline.Node {
    /// Returns a strip's level, and its pan, mute, solo and polarity if they differ from the
    /// defaults.
    func stripText(_ strip: Int) -> String {
        let values = stripValues(strip)
        var words = [Unit.decibels.text(of: values["gain"] ?? 0)]
        if let pan = values["pan"], pan != 0 { words.append(Self.panText(pan)) }
        if let mute = values["mute"], mute > 0 { words.append("muted") }
        if let solo = values["solo"], solo > 0 { words.append("solo") }
        if let invert = values["invert"], invert > 0 { words.append("inverted") }
        return words.joined(separator: " · ")
    }

    private func stripValues(_ strip: Int) -> [String: Double] {
        let count = description.stripParameters.count
        let first = description.parameters.count + strip * count
        guard first + count <= values.count else { return [:] }
        let named = zip(description.stripParameters, values[first..<first + count])
        return Dictionary(named.map { ($0.name, Double($1)) }) { first, _ in first }
    }

    private static func panText(_ pan: Double) -> String {
        (pan < 0 ? "left " : "right ") + DrawnNumber.plain(abs(pan) * 100, decimals: 0) + " %"
    }
}
