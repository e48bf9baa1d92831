internal import Processing

/// Numbers, and ranges of them, as messages and files show them.
enum Quantity {
    /// The shortest text that reads back as the same number.
    static func text(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// The shortest text that reads back as the same number.
    static func text(_ value: Float) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// A range as `-120…24 dB`.
    static func text(_ range: ClosedRange<Double>, _ unit: Unit = .none) -> String {
        "\(text(range.lowerBound))…\(text(range.upperBound))" + suffix(unit)
    }

    /// A range as `-120…24 dB`.
    static func text(_ range: ClosedRange<Float>, _ unit: Unit = .none) -> String {
        "\(text(range.lowerBound))…\(text(range.upperBound))" + suffix(unit)
    }

    /// A range as `0…127`.
    static func text(_ range: ClosedRange<Int>, _ unit: Unit = .none) -> String {
        "\(range.lowerBound)…\(range.upperBound)" + suffix(unit)
    }

    private static func suffix(_ unit: Unit) -> String {
        unit == .none ? "" : " " + unit.rawValue
    }

    /// `1 channel`, `2 channels`.
    static func channels(_ count: Int) -> String { "\(count) channel" + (count == 1 ? "" : "s") }

    /// `1 channel comes in`, `2 channels come in`: a count of channels and what they do.
    static func channels(_ count: Int, do verb: String, _ rest: String) -> String {
        "\(channels(count)) \(verb)" + (count == 1 ? verb == "reach" ? "es" : "s" : "") + rest
    }

    /// `1 entry`, `2 entries`.
    static func entries(_ count: Int) -> String { count == 1 ? "1 entry" : "\(count) entries" }

    /// `"a", "b" or "c"`; of long lists the first.
    static func alternatives(_ names: [String]) -> String {
        guard names.count <= 12 else {
            return names.prefix(12).joined(separator: ", ") + " …"
        }
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}
