/// What a type of node is: everything that a file's author may write, checked against and
/// documented from here.
public struct NodeDescription: Sendable, Equatable {
    /// The type's name in files; for a plugin its URI.
    public var name: String
    /// The name as a person reads it.
    public var label: String
    /// One or two sentences on what it does.
    public var summary: String
    /// How many channels it takes and gives.
    public var channels: ChannelRule
    /// Values that may change while it plays.
    public var parameters: [ParameterDescription]
    /// For a mixer: the parameters that each strip has, addressed `<strip>.<name>`.
    public var stripParameters: [ParameterDescription]
    /// Values that are fixed while it lives.
    public var settings: [SettingDescription]
    /// Settings of which exactly one must be given.
    public var requiredSettings: [String]
    /// What it measures or puts out as values, in the order of `Processor.reports`.
    public var reports: [ReportDescription]
    /// Where a plugin has an event input that takes MIDI.
    public var takesEvents: Bool
    /// Whether a plugin gives MIDI.
    public var givesEvents: Bool
    /// What a plugin needs that is not offered here, each by its name; such a node is refused.
    public var missingFeatures: [String]
    /// What kind of sound processor it is, for lists ("Reverb").
    public var category: String

    /// All parts, each as its property says.
    public init(
        name: String, label: String, summary: String, channels: ChannelRule = .asFed,
        parameters: [ParameterDescription] = [],
        stripParameters: [ParameterDescription] = [], settings: [SettingDescription] = [],
        requiredSettings: [String] = [], reports: [ReportDescription] = [],
        takesEvents: Bool = false, givesEvents: Bool = false, missingFeatures: [String] = [],
        category: String = ""
    ) {
        self.name = name
        self.label = label
        self.summary = summary
        self.channels = channels
        self.parameters = parameters
        self.stripParameters = stripParameters
        self.settings = settings
        self.requiredSettings = requiredSettings
        self.reports = reports
        self.takesEvents = takesEvents
        self.givesEvents = givesEvents
        self.missingFeatures = missingFeatures
        self.category = category
    }
}

/// How many channels a node takes and gives.
public enum ChannelRule: Sendable, Equatable {
    /// Gives as many channels as it is fed.
    case asFed
    /// Takes nothing, and gives as many channels as the setting `channels` says; without it as many as its sound has.
    case source
    /// Sums strips into the number that the setting `channels` says; without it, into the widest
    /// strip's.
    case mixer
    /// Has fixed ports for sound, as LV2 plugins have; those of control voltage stand behind those of audio.
    case ports(inputs: [PortDescription], outputs: [PortDescription])
}

/// One port of a plugin that carries samples.
public struct PortDescription: Sendable, Equatable {
    /// The name in files.
    public var symbol: String
    /// The name as a person reads it.
    public var label: String
    /// A side chain, or an input that may stay unconnected: it then gets silence.
    public var isOptional: Bool
    /// Whether it carries a control voltage rather than audio.
    public var isControlVoltage: Bool
    /// What an input of control voltage is at where nothing feeds it.
    public var restingValue: Float

    /// All parts, each as its property says.
    public init(
        symbol: String, label: String, isOptional: Bool = false, isControlVoltage: Bool = false,
        restingValue: Float = 0
    ) {
        self.symbol = symbol
        self.label = label
        self.isOptional = isOptional
        self.isControlVoltage = isControlVoltage
        self.restingValue = restingValue
    }
}

extension [PortDescription] {
    /// The places of those that carry audio.
    public var audioPlaces: [Int] { indices.filter { !self[$0].isControlVoltage } }
}

/// A value that a node reports while it plays.
public struct ReportDescription: Sendable, Equatable {
    /// The name in files.
    public var name: String
    /// The name as a person reads it.
    public var label: String
    /// The unit of its values.
    public var unit: Unit

    /// All parts, each as its property says.
    public init(_ name: String, label: String? = nil, unit: Unit = .none) {
        self.name = name
        self.label = label ?? name
        self.unit = unit
    }
}

/// A value of a node that is fixed while the node lives.
public struct SettingDescription: Sendable, Equatable {
    /// The name in files.
    public var name: String
    /// One sentence on what it does.
    public var summary: String
    /// The unit of its values.
    public var unit: Unit
    /// What values there are.
    public var kind: Kind
    /// What holds where the file says nothing; nil where that depends on the node.
    public var defaultValue: SettingValue?

    /// What values there are.
    public enum Kind: Sendable, Equatable {
        case number(ClosedRange<Double>)
        case integer(ClosedRange<Int>)
        case toggle
        case choice([String])
        /// One number of a short list.
        case numberChoice([Double])
        case text
        /// A path, in files relative to the pipeline file; processors get one that they can open.
        case path
        /// The address of something on the network.
        case url
        /// The path of a file to be made, relative to where takes go, with conversions of `strftime`.
        case newPath
        /// Paths, relative to the pipeline file: each a text, or an object with `file` and `gain`.
        case playlist
    }

    /// All parts, each as its property says.
    public init(
        _ name: String, summary: String = "", unit: Unit = .none, kind: Kind,
        default defaultValue: SettingValue? = nil
    ) {
        self.name = name
        self.summary = summary
        self.unit = unit
        self.kind = kind
        self.defaultValue = defaultValue
    }
}

/// The value of a setting.
public enum SettingValue: Sendable, Equatable, Hashable {
    case number(Double)
    case toggle(Bool)
    case text(String)
    case playlist([PlaylistItem])

    /// The number, where it is one.
    public var number: Double? { if case .number(let value) = self { value } else { nil } }
    /// The text, where it is one.
    public var text: String? { if case .text(let value) = self { value } else { nil } }
    /// The truth value, where it is one.
    public var toggle: Bool? { if case .toggle(let value) = self { value } else { nil } }
    /// The items, where it is a playlist.
    public var playlist: [PlaylistItem]? {
        if case .playlist(let items) = self { items } else { nil }
    }
}

/// One sound of a playlist.
public struct PlaylistItem: Sendable, Equatable, Hashable {
    /// In files relative to the pipeline file; processors get one that they can open.
    public var path: String
    /// How much louder it is, in dB, from -120 through 24.
    public var gain: Double

    /// All parts, each as its property says.
    public init(path: String, gain: Double = 0) {
        self.path = path
        self.gain = gain
    }

    /// What `gain` may be, in dB.
    public static let gainRange = -120.0...24.0
}
