/// A value of a node that may change while it plays.
public struct ParameterDescription: Sendable, Equatable {
    /// The name in addresses and files: lower case with hyphens for our effects, the port's symbol
    /// for LV2.
    public var name: String
    /// The name as a person reads it.
    public var label: String
    /// One sentence on what it does.
    public var summary: String
    /// The unit of its values.
    public var unit: Unit
    /// What values there are.
    public var kind: Kind
    /// Lowest and highest value.
    ///
    /// For a toggle 0…1, for a choice the first and the last index.
    public var range: ClosedRange<Float>
    /// What it is where a file says nothing.
    public var defaultValue: Float
    /// LV2's `sampleRate` property.
    ///
    /// The range stands in multiples of the sample rate; the default does not.
    public var rangeScalesWithRate: Bool

    /// How a value moves between the ends of its range.
    public enum Curve: Sendable, Equatable { case linear, logarithmic }

    /// What values there are.
    public enum Kind: Sendable, Equatable {
        /// Any number of the range.
        case continuous(Curve)
        /// Whole numbers of the range.
        case integer
        /// Off or on, in files `false` or `true`; 0 or 1.
        case toggle
        /// One of a list, in files by name.
        case choice([Choice])
    }

    /// One entry of a choice.
    public struct Choice: Sendable, Equatable {
        /// The name in files.
        public var name: String
        /// The value that a processor is given.
        public var value: Float

        /// An entry of a name and its value.
        public init(_ name: String, _ value: Float) {
            self.name = name
            self.value = value
        }
    }

    /// All parts; the label is the name where none is given.
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

    /// An on/off parameter.
    public static func toggle(
        _ name: String, label: String? = nil, summary: String = "", default on: Bool = false
    ) -> Self {
        Self(name, label: label, summary: summary, kind: .toggle, range: 0...1, default: on ? 1 : 0)
    }

    /// A parameter that is one of a list of names; its values are their indices.
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
