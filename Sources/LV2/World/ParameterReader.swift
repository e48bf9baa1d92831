internal import CLilv
internal import Processing

extension PortReader {
    /// A control input as a parameter.
    ///
    /// A value of the plugin's default state goes before the port's own default.
    func parameter(_ shape: PortShape) -> ParameterDescription {
        let choices = choices()
        let bounds = PortBounds(
            minimum: number(Namespace.core("minimum")), maximum: number(Namespace.core("maximum")),
            defaultValue: number(Namespace.presets("value")) ?? number(Namespace.core("default")),
            points: choices.map(\.value),
            scalesWithRate: has(Namespace.core("sampleRate")),
            isToggle: has(Namespace.core("toggled")))
        return ParameterDescription(
            shape.symbol, label: shape.label, summary: summary, unit: unit,
            kind: kind(choices, bounds), range: bounds.range, default: bounds.defaultValue,
            rangeScalesWithRate: bounds.scalesWithRate)
    }

    /// A control output as a report.
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
        // A logarithm needs both ends above zero; many plugins ask for one from zero.
        let isLogarithmic =
            has(Namespace.portProperties("logarithmic")) && bounds.range.lowerBound > 0
        return .continuous(isLogarithmic ? .logarithmic : .linear)
    }

    private var summary: String {
        Sentence.first(of: value(Namespace.schema("comment")) ?? "")
    }

    private var unit: Unit { Self.unit(named: value(Namespace.units("unit"))) }

    /// The unit of a URI; none where it is not known here.
    static func unit(named uri: String?) -> Unit {
        Namespace.units.term(of: uri).flatMap { units[$0] } ?? .none
    }

    private static let units: [String: Unit] = [
        "db": .decibels, "hz": .hertz, "s": .seconds, "ms": .milliseconds,
        "semitone12TET": .semitones, "cent": .cents, "beat": .beats, "bpm": .beatsPerMinute,
        "pc": .percent, "frame": .frames, "degree": .degrees, "oct": .octaves, "coef": .ratio,
    ]

    /// The port's named values in rising order, each name once: of equal names the later ones carry their value.
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
        for place in choices.indices where !names.insert(choices[place].name).inserted {
            choices[place].name += " (\(choices[place].value))"
        }
        return choices
    }
}

/// The range and the default of a control, made whole where a description leaves gaps or contradicts itself.
struct PortBounds {
    let range: ClosedRange<Float>
    let defaultValue: Float
    let scalesWithRate: Bool
    let isToggle: Bool

    /// - Parameters:
    ///   - minimum: As described; nil where it is missing or no number.
    ///   - maximum: As described; nil where it is missing or no number. Inverted bounds change places.
    ///   - defaultValue: As described. It is kept to the bit even outside of the bounds, for it is what the plugin's
    ///     author hears; the range is widened to hold it. A missing one is 0, or else the end that is nearest to it.
    ///   - points: The values that have names; they lie in the range too.
    ///   - scalesWithRate: Whether the bounds are multiples of the sample rate, which the default is not.
    ///   - isToggle: Whether there is only off and on.
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
            // Rates from 8 to 384 kHz: so wide that the default lies in the range at each of them.
            range = min(low, value / 384_000)...max(high, value / 8000)
        } else {
            range = min(low, value, points.min() ?? low)...max(high, value, points.max() ?? high)
        }
    }
}
