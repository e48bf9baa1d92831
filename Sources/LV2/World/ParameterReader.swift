internal import CLilv
internal import Processing

extension PortReader {
    /// Returns a control input as a parameter.
    ///
    /// A value from the plugin's default state has precedence over the port's own default.
    func parameter(_ shape: PortShape) -> ParameterDescription {
        let choices = choices()
        let bounds = PortBounds(
            minimum: number(Namespace.core("minimum")), maximum: number(Namespace.core("maximum")),
            defaultValue: number(Namespace.presets("value")) ?? number(Namespace.core("default")),
            points: choices.map(\.value),
            scalesWithRate: has(Namespace.core("sampleRate")),
            isToggle: has(Namespace.core("toggled")))
        var parameter = ParameterDescription(
            shape.symbol, label: shape.label, summary: summary, unit: unit,
            kind: kind(choices, bounds), range: bounds.range, default: bounds.defaultValue,
            rangeScalesWithRate: bounds.scalesWithRate)
        parameter.isTrigger =
            has(Namespace.portProperties("trigger")) && parameter.canTrigger
        parameter.group = groupName ?? ""
        return parameter
    }

    /// Returns a control output as a report.
    func report(_ shape: PortShape) -> ReportDescription {
        ReportDescription(shape.symbol, label: shape.label, unit: unit)
    }

    private func kind(_ choices: [ParameterDescription.Choice], _ bounds: PortBounds)
        -> ParameterDescription.Kind
    {
        if bounds.isToggle { return .toggle }
        if has(Namespace.core("enumeration")) {
            return choices.isEmpty ? .integer : .choice(choices)
        }
        if has(Namespace.core("integer")) { return .integer }
        // A logarithmic scale needs a positive range; many plugins request one that starts at zero.
        let isLogarithmic =
            has(Namespace.portProperties("logarithmic")) && bounds.range.lowerBound > 0
        return .continuous(isLogarithmic ? .logarithmic : .linear)
    }

    private var summary: String {
        Sentence.first(of: value(Namespace.schema("comment")) ?? "")
    }

    private var unit: Unit { Self.unit(named: value(Namespace.units("unit"))) }

    /// Returns the unit with a URI; `.none` if it is not known.
    static func unit(named uri: String?) -> Unit {
        Namespace.units.term(of: uri).flatMap { units[$0] } ?? .none
    }

    private static let units: [String: Unit] = [
        "db": .decibels, "hz": .hertz, "s": .seconds, "ms": .milliseconds,
        "semitone12TET": .semitones, "cent": .cents, "beat": .beats, "bpm": .beatsPerMinute,
        "pc": .percent, "frame": .frames, "degree": .degrees, "oct": .octaves, "coef": .ratio,
    ]

    /// Returns the port's named values in rising order.
    ///
    /// Each name is unique: if a name repeats, the later ones have their value appended.
    private func choices() -> [ParameterDescription.Choice] {
        guard let points = lilv_port_get_scale_points(plugin, port) else { return [] }
        defer { lilv_scale_points_free(points) }
        var choices: [ParameterDescription.Choice] = []
        var at = lilv_scale_points_begin(points)
        while !lilv_scale_points_is_end(points, at) {
            let point = lilv_scale_points_get(points, at)
            if let name = world.text(lilv_scale_point_get_label(point)),
                let value = world.number(lilv_scale_point_get_value(point))
            {
                choices.append(.init(name, value))
            }
            at = lilv_scale_points_next(points, at)
        }
        choices.sort { ($0.value, $0.name) < ($1.value, $1.name) }
        var names: Set<String> = []
        for index in choices.indices where !names.insert(choices[index].name).inserted {
            choices[index].name += " (\(choices[index].value))"
        }
        return choices
    }
}

extension ParameterDescription {
    /// Whether a press can set the value that acts, which is 1: the parameter is a switch, or a
    /// number from 0 through 1.
    fileprivate var canTrigger: Bool {
        switch kind {
        case .toggle: defaultValue == 0
        case .integer, .continuous: range == 0...1 && defaultValue == 0
        case .choice: false
        }
    }
}

/// The range and default of a control, completed if a description has gaps or contradictions.
struct PortBounds {
    let range: ClosedRange<Float>
    let defaultValue: Float
    let scalesWithRate: Bool
    let isToggle: Bool

    /// Completes the described bounds.
    ///
    /// - Parameters:
    ///   - minimum: The described minimum; `nil` if it is missing or not a number. Inverted bounds
    ///     are exchanged.
    ///   - maximum: The described maximum; `nil` if it is missing or not a number.
    ///   - defaultValue: The described default. It is kept exactly, even outside the bounds,
    ///     because it is the sound that the plugin's author intended; the range is widened to
    ///     include it. A missing default is 0, or else the nearest bound.
    ///   - points: The values that have names; the range includes them, too.
    ///   - scalesWithRate: Whether the bounds are multiples of the sample rate; the default is not.
    ///   - isToggle: Whether the only values are off and on.
    init(
        minimum: Float?, maximum: Float?, defaultValue: Float?, points: [Float],
        scalesWithRate: Bool, isToggle: Bool
    ) {
        let known = [minimum, maximum].compactMap(\.self) + points
        var low = minimum ?? min(0, known.min() ?? 0)
        var high = maximum ?? max(1, known.max() ?? 1)
        if low > high { (low, high) = (high, low) }
        let value = defaultValue ?? (scalesWithRate ? low : min(max(0, low), high))
        self.scalesWithRate = scalesWithRate
        self.isToggle = isToggle
        self.defaultValue = value
        if isToggle {
            range = 0...1
        } else if scalesWithRate {
            // Wide enough that the default is within the range at each rate from 8 to 384 kHz.
            range = min(low, value / 384_000)...max(high, value / 8000)
        } else {
            range = min(low, value, points.min() ?? low)...max(high, value, points.max() ?? high)
        }
    }
}
