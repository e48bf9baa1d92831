/// The description of a node's value that can change while the node runs.
public struct ParameterDescription: Sendable, Equatable {
    /// The name in addresses and files: lower case with hyphens for built-in effects, the port's
    /// symbol for LV2.
    public var name: String
    /// The name for people.
    public var label: String
    /// One sentence about its effect.
    public var summary: String
    /// The unit of its values.
    public var unit: Unit
    /// The kind of values.
    public var kind: Kind
    /// The lowest and the highest value.
    ///
    /// A toggle has 0 and 1, a choice has the first and the last index.
    public var range: ClosedRange<Float>
    /// The value if the file has none.
    public var defaultValue: Float
    /// Whether the port has LV2's `sampleRate` property: the range is in multiples of the sample
    /// rate, but the default is not.
    public var rangeScalesWithRate: Bool
    /// Whether the parameter is an action: each change to `true` acts once, at its frame, and the
    /// value is always `false` afterwards.
    public var isTrigger = false
    /// Whether the value starts, stops or moves a player, a recorder or a looper.
    ///
    /// It belongs to the performance and not to the sound, so a session neither keeps it when
    /// another song begins nor saves it.
    public var isTransport = false
    /// The name of the group to which a plugin's parameter belongs; empty without one.
    public var group = ""

    /// Whether the value is the factor of a gain, where 1 is 0 dB.
    ///
    /// LV2 has no unit for such factors, so the range and the name decide: numbers without a unit,
    /// from 0 or more to more than 1, with the default 1, whose name or label contains a word such
    /// as "gain".
    public var isGainFactor: Bool {
        guard case .continuous = kind, unit == .none || unit == .ratio, range.lowerBound >= 0,
            range.upperBound > 1, defaultValue == 1
        else { return false }
        let words = "\(name) \(label)".lowercased().split { !$0.isLetter }
        return words.contains { Self.gainWords.contains($0) }
    }

    private static let gainWords: Set<Substring> = ["gain", "level", "volume", "makeup"]

    /// Whether the value can have any number in its range, so that it can move gradually.
    public var isContinuous: Bool { if case .continuous = kind { true } else { false } }

    /// The mapping between a control's position and the value.
    public enum Curve: Sendable, Equatable, Codable { case linear, logarithmic }

    /// The kinds of values.
    public enum Kind: Sendable, Equatable {
        /// Any number in the range.
        case continuous(Curve)
        /// Whole numbers in the range.
        case integer
        /// Off or on, in files `false` or `true`; 0 or 1.
        case toggle
        /// One entry of a list, in files by name.
        case choice([Choice])
    }

    /// One entry of a choice.
    public struct Choice: Sendable, Equatable {
        /// The name in files.
        public var name: String
        /// The value for the processor.
        public var value: Float

        /// Creates an entry from its name and its value.
        public init(_ name: String, _ value: Float) {
            self.name = name
            self.value = value
        }
    }

    /// Creates a description from its parts; the default label is the name.
    public init(
        _ name: String, label: String? = nil, summary: String = "", unit: Unit = .none,
        kind: Kind = .continuous(.linear),
        range: ClosedRange<Float>, default defaultValue: Float, rangeScalesWithRate: Bool = false
    ) {
        self.name = name
        self.label = label ?? name
        self.summary = summary
        self.unit = unit
        self.kind = kind
        self.range = range
        self.defaultValue = defaultValue
        self.rangeScalesWithRate = rangeScalesWithRate
    }

    /// Returns the description of an on/off parameter.
    public static func toggle(
        _ name: String, label: String? = nil, summary: String = "", default on: Bool = false
    ) -> Self {
        Self(name, label: label, summary: summary, kind: .toggle, range: 0...1, default: on ? 1 : 0)
    }

    /// Returns the description of an action: each change to `true` acts once.
    public static func trigger(_ name: String, label: String, summary: String) -> Self {
        var description = toggle(name, label: label, summary: summary)
        description.isTrigger = true
        return description
    }

    /// The same description of a value that starts, stops or moves a player, a recorder or a
    /// looper.
    public var asTransport: Self {
        var description = self
        description.isTransport = true
        return description
    }

    /// Returns the description of a choice between names; the values are their indices.
    public static func choice(
        _ name: String, label: String? = nil, summary: String = "", of names: [String],
        default index: Int = 0
    ) -> Self {
        Self(
            name, label: label, summary: summary,
            kind: .choice(names.enumerated().map { Choice($0.element, Float($0.offset)) }),
            range: 0...Float(names.count - 1), default: Float(index))
    }
}

/// The unit of a value.
public enum Unit: String, Sendable, Equatable {
    case none = ""
    case decibels = "dB"
    case hertz = "Hz"
    case seconds = "s"
    case milliseconds = "ms"
    case semitones = "st"
    case cents = "ct"
    case beats = "beats"
    case beatsPerMinute = "bpm"
    case percent = "%"
    case frames = "frames"
    case degrees = "°"
    case octaves = "oct"
    case ratio = "×"
}
