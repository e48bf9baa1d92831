internal import Processing

extension ParameterDescription {
    /// Returns a value of this parameter with its unit, for display.
    func text(of value: Float) -> String {
        switch kind {
        case .toggle: value > 0 ? "on" : "off"
        case .choice(let choices): nearest(to: value, in: choices) ?? unit.text(of: Double(value))
        case .integer, .continuous: sign(of: value) + unit.text(of: Double(value))
        }
    }

    /// Returns a plus sign for a positive value of a parameter that may also be negative.
    private func sign(of value: Float) -> String {
        let isTwoSided = range.lowerBound < 0 && range.upperBound > 0
        return isTwoSided && value > 0 && !unit.isSigned ? "+" : ""
    }

    private func nearest(to value: Float, in choices: [Choice]) -> String? {
        choices.min { abs($0.value - value) < abs($1.value - value) }?.name
    }

    /// Returns the symbol of a value: a knob or a lamp.
    func dial(at value: Float) -> Card.Dial {
        switch kind {
        case .toggle: .lamp(value > 0)
        case .choice: .none
        case .integer, .continuous: .knob(turn(at: value))
        }
    }

    /// Returns the rotation of a knob, from 0 through 1.
    private func turn(at value: Float) -> Double {
        let low = Double(range.lowerBound)
        let high = Double(range.upperBound)
        guard high > low, high - low < 1e12 else { return 0.5 }
        let linear = (Double(value) - low) / (high - low)
        guard kind == .continuous(.logarithmic), low > 0 else { return min(max(linear, 0), 1) }
        return min(max(Logarithm.of(Double(value) / low) / Logarithm.of(high / low), 0), 1)
    }
}

extension Unit {
    /// Whether numbers of this unit always show their sign.
    var isSigned: Bool { [.decibels, .semitones, .cents].contains(self) }

    /// Returns a number of this unit as text, for display.
    func text(of value: Double) -> String {
        switch self {
        case .hertz where abs(value) >= 1000: DrawnNumber.short(value / 1000) + " kHz"
        case .seconds where value != 0 && abs(value) < 1: DrawnNumber.short(value * 1000) + " ms"
        case _ where isSigned: DrawnNumber.signed(value) + " " + rawValue
        case .none: DrawnNumber.short(value)
        case .degrees: DrawnNumber.short(value) + rawValue
        default: DrawnNumber.short(value) + " " + rawValue
        }
    }
}

extension SettingDescription {
    /// Returns a setting's value as text, for display.
    func text(of value: SettingValue) -> String {
        switch value {
        case .number(let number): unit.text(of: number)
        case .toggle(let isOn): isOn ? "on" : "off"
        case .text(let path) where kind == .path || kind == .newPath: Self.fileName(path)
        case .text(let text): text
        case .playlist(let items) where items.count > 2:
            "\(Self.fileName(items[0].path)) and \(items.count - 1) more"
        case .playlist(let items):
            items.map { Self.fileName($0.path) }.joined(separator: ", ")
        }
    }

    private static func fileName(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
