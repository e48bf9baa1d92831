internal import Pipelines
internal import Processing
internal import Platform
internal import Realtime

/// The page about a node type: its purpose, all its values, and a JSON node to paste.
struct NodePage {
    private let description: NodeDescription

    init(_ description: NodeDescription) { self.description = description }

    /// The page, without a line break at its end.
    var text: String {
        let title = "\(description.name): \(description.summary)"
        let parts: [String?] = [
            Paragraph.lines(of: title, width: 79).joined(separator: "\n"),
            Self.section(
                "Parameters, which can change while it runs", description.parameters.map(\.row)),
            Self.section(
                "Parameters of each strip, with the address NODE.STRIP.PARAMETER",
                description.stripParameters.map(\.row)),
            Self.section("Settings, fixed while it runs", description.settings.map(\.row)),
            Self.section("Reports", description.allReports.map(\.row)),
            "To paste into \"nodes\":\n\n" + node,
        ]
        return parts.compactMap { $0 }.joined(separator: "\n\n")
    }

    /// Returns a title and rows of two cells; `nil` if there are no rows.
    static func section(_ title: String, _ rows: [[String]]) -> String? {
        if rows.isEmpty { return nil }
        var table = TextTable([.left, .left])
        for row in rows { table.add(["  " + row[0], row[1]]) }
        return "\(title):\n\n\(table.text)"
    }

    /// The node with all parameters at their defaults, in the form of a file.
    private var node: String {
        var members: [JSONValue.Member] = [
            .init("id", .string(description.name)), .init("type", .string(description.name)),
        ]
        if description.channels == .mixer { members.append(.init("from", ["a", "b"])) }
        let parameters = description.parameters.map {
            JSONValue.Member($0.name, $0.json(of: $0.defaultValue))
        }
        if !parameters.isEmpty { members.append(.init("parameters", .object(parameters))) }
        if let file = description.requiredSettings.first {
            members.append(.init("settings", .object([.init(file, "sound.wav")])))
        }
        let lines = members.map { "\(JSONValue.string($0.key).text): \($0.value.text)" }
        return "  { " + lines.joined(separator: ",\n    ") + " }"
    }
}

extension ParameterDescription {
    /// The cells of a table row: the name, then the values, the default and the purpose, and the
    /// address if it is not NODE.NAME.
    var row: [String] {
        let address = addressName == name ? "" : "\naddress NODE.\(addressName)"
        return [
            name,
            "\(values)\(levels); default \(defaultText)\(defaultLevel)\n\(summary.isEmpty ? label : summary)\(address)",
        ]
    }

    private var values: String {
        switch kind {
        case .toggle: "false, true"
        case .choice(let choices): choices.map(\.name).joined(separator: ", ")
        case .continuous, .integer:
            "\(range.lowerBound.plain)…\(range.upperBound.plain)" + unit.suffix
                + (rangeScalesWithRate ? " × sample rate" : "")
        }
    }

    /// The range of a gain factor in dB.
    private var levels: String {
        isGainFactor
            ? " (\(Self.decibels(range.lowerBound))…\(Self.decibels(range.upperBound)) dB)" : ""
    }

    /// The default of a gain factor in dB.
    private var defaultLevel: String {
        isGainFactor ? " (\(Self.decibels(defaultValue)) dB)" : ""
    }

    private static func decibels(_ factor: Float) -> String {
        guard factor > 0 else { return "-∞" }
        return ((10 * Decibels(amplitude: Double(factor)).value).rounded() / 10).plain
    }

    private var defaultText: String {
        if case .string(let text) = json(of: defaultValue) { return text }
        return json(of: defaultValue).text
    }

    /// Returns a value in the form of a file.
    func json(of value: Float) -> JSONValue {
        switch kind {
        case .toggle: .bool(value != 0)
        case .choice(let choices):
            choices.first { $0.value == value }.map { .string($0.name) } ?? value.json
        case .continuous, .integer: value.json
        }
    }
}

extension SettingDescription {
    /// The cells of a table row: the name, then the values, the default and the purpose.
    var row: [String] {
        let standard = defaultValue.map { "; default \($0.plain)" } ?? ""
        return [name, values + standard + (summary.isEmpty ? "" : "\n\(summary)")]
    }

    private var values: String {
        switch kind {
        case .number(let range):
            "\(range.lowerBound.plain)…\(range.upperBound.plain)" + unit.suffix
        case .integer(let range): "\(range.lowerBound)…\(range.upperBound)" + unit.suffix
        case .toggle: "false, true"
        case .choice(let names): names.joined(separator: ", ")
        case .numberChoice(let numbers): numbers.map(\.plain).joined(separator: ", ") + unit.suffix
        case .text: "text"
        case .path, .newPath: "a path"
        case .url: "an address"
        case .playlist: "paths"
        }
    }
}

extension SettingValue {
    fileprivate var plain: String {
        switch self {
        case .number(let value): value.plain
        case .toggle(let value): "\(value)"
        case .text(let value): value
        case .playlist(let items): items.map(\.path).joined(separator: ", ")
        }
    }
}

extension ReportDescription {
    /// The cells of a table row: the name, then the label with the unit.
    var row: [String] {
        [name, unit == .none ? label : "\(label), in \(unit.rawValue)"]
    }
}

extension Unit {
    /// The unit after a number, with a space.
    fileprivate var suffix: String { self == .none ? "" : " \(rawValue)" }
}
