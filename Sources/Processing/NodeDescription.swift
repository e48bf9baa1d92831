/// The description of a type of node: the parameters, settings and ports that a pipeline file can
/// use.
///
/// Files are checked against descriptions, and the reference is generated from them.
public struct NodeDescription: Sendable, Equatable {
    /// All nodes of a type share their description, which is copied only to change it.
    private var shared: Shared<Parts>

    /// The name of the type in files; the URI of a plugin.
    public var name: String {
        get { shared.value.name }
        set { shared.change { $0.name = newValue } }
    }
    /// The name for people.
    public var label: String {
        get { shared.value.label }
        set { shared.change { $0.label = newValue } }
    }
    /// One or two sentences about the purpose of the node.
    public var summary: String {
        get { shared.value.summary }
        set { shared.change { $0.summary = newValue } }
    }
    /// The rule for the numbers of input and output channels.
    public var channels: ChannelRule {
        get { shared.value.channels }
        set { shared.change { $0.channels = newValue } }
    }
    /// The values that can change while the node runs.
    public var parameters: [ParameterDescription] {
        get { shared.value.parameters }
        set { shared.change { $0.parameters = newValue } }
    }
    /// The parameters of each strip of a mixer, with the addresses `<strip>.<name>`.
    public var stripParameters: [ParameterDescription] {
        get { shared.value.stripParameters }
        set { shared.change { $0.stripParameters = newValue } }
    }
    /// The values that are fixed for the lifetime of the node.
    public var settings: [SettingDescription] {
        get { shared.value.settings }
        set { shared.change { $0.settings = newValue } }
    }
    /// The names of settings of which a file must have exactly one.
    public var requiredSettings: [String] {
        get { shared.value.requiredSettings }
        set { shared.change { $0.requiredSettings = newValue } }
    }
    /// The values that the node measures or outputs, in the order of `Processor.reports`.
    public var reports: [ReportDescription] {
        get { shared.value.reports }
        set { shared.change { $0.reports = newValue } }
    }
    /// The texts that the node reports, in the order of `Processor.reportTexts`.
    public var textReports: [ReportDescription] {
        get { shared.value.textReports }
        set { shared.change { $0.textReports = newValue } }
    }
    /// Whether a plugin has an event input for MIDI.
    public var receivesEvents: Bool {
        get { shared.value.receivesEvents }
        set { shared.change { $0.receivesEvents = newValue } }
    }
    /// Whether a plugin has an output for MIDI.
    public var sendsEvents: Bool {
        get { shared.value.sendsEvents }
        set { shared.change { $0.sendsEvents = newValue } }
    }
    /// The names of features that a plugin requires and the host does not offer; such a node is
    /// rejected.
    public var missingFeatures: [String] {
        get { shared.value.missingFeatures }
        set { shared.change { $0.missingFeatures = newValue } }
    }
    /// The kind of processor, for lists ("Reverb").
    public var category: String {
        get { shared.value.category }
        set { shared.change { $0.category = newValue } }
    }
    /// Whether the node is a source that can end, and counts its ends (`Processor.endCount`).
    public var hasEnd: Bool {
        get { shared.value.hasEnd }
        set { shared.change { $0.hasEnd = newValue } }
    }
    /// Whether the node can keep sound without end, such as a loop or a chord.
    public var keepsSound: Bool {
        get { shared.value.keepsSound }
        set { shared.change { $0.keepsSound = newValue } }
    }

    /// Creates a description from its parts.
    public init(
        name: String, label: String, summary: String, channels: ChannelRule = .sameAsInputs,
        parameters: [ParameterDescription] = [],
        stripParameters: [ParameterDescription] = [], settings: [SettingDescription] = [],
        requiredSettings: [String] = [], reports: [ReportDescription] = [],
        textReports: [ReportDescription] = [],
        receivesEvents: Bool = false, sendsEvents: Bool = false, missingFeatures: [String] = [],
        category: String = "", hasEnd: Bool = false, keepsSound: Bool = false
    ) {
        shared = Shared(
            Parts(
                name: name, label: label, summary: summary, channels: channels,
                parameters:
                    parameters, stripParameters: stripParameters, settings: settings,
                requiredSettings:
                    requiredSettings, reports: reports, textReports: textReports,
                receivesEvents:
                    receivesEvents, sendsEvents: sendsEvents, missingFeatures: missingFeatures,
                category: category, hasEnd: hasEnd, keepsSound: keepsSound))
    }

    /// All values and texts that the node reports: `reports`, then `textReports`.
    public var allReports: [ReportDescription] { reports + textReports }
}

/// The rule for the numbers of a node's input and output channels.
public enum ChannelRule: Sendable, Equatable {
    /// The node has as many outputs as inputs.
    case sameAsInputs
    /// The node has no input. The setting `channels` determines the number of outputs; by default,
    /// it equals the number of channels in the sound.
    case source
    /// The node sums strips. The setting `channels` determines the number of outputs; by default,
    /// it equals the width of the widest strip.
    case mixer
    /// The node has fixed ports, like LV2 plugins. Ports of control voltage follow the audio ports.
    case ports(inputs: [PortDescription], outputs: [PortDescription])
}

/// A port of a plugin that carries samples.
public struct PortDescription: Sendable, Equatable {
    /// The name in files.
    public var symbol: String
    /// The name for people.
    public var label: String
    /// Whether an input can stay unconnected, like a side chain: it then receives silence.
    public var isOptional: Bool
    /// Whether the port carries a control voltage instead of audio.
    public var isControlVoltage: Bool
    /// The value of an unconnected input of control voltage.
    public var restingValue: Float

    /// Creates a description from its parts.
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
    /// The indices of the audio ports.
    public var audioIndices: [Int] { indices.filter { !self[$0].isControlVoltage } }
}

/// A value that a node reports while it runs.
public struct ReportDescription: Sendable, Equatable {
    /// The name in files.
    public var name: String
    /// The name for people.
    public var label: String
    /// The unit of its values.
    public var unit: Unit
    /// The kind of values.
    public var kind: Kind

    /// The kinds of values that are published as numbers.
    public enum Kind: Sendable, Equatable {
        case number
        /// Off (0) or on (1).
        case toggle
        /// One of several states; the number is the index of its name.
        case choice([String])
    }

    /// Creates a description from its parts; the default label is the name.
    public init(_ name: String, label: String? = nil, unit: Unit = .none, kind: Kind = .number) {
        self.name = name
        self.label = label ?? name
        self.unit = unit
        self.kind = kind
    }
}

/// The description of a node's value that is fixed for the lifetime of the node.
public struct SettingDescription: Sendable, Equatable {
    /// The name in files.
    public var name: String
    /// One sentence about its effect.
    public var summary: String
    /// The unit of its values.
    public var unit: Unit
    /// The kind of values.
    public var kind: Kind
    /// The value if the file has none; `nil` if that depends on the node.
    public var defaultValue: SettingValue?

    /// The kinds of values.
    public enum Kind: Sendable, Equatable {
        case number(ClosedRange<Double>)
        case integer(ClosedRange<Int>)
        case toggle
        case choice([String])
        /// One number from a short list.
        case numberChoice([Double])
        case text
        /// A path. In files it is relative to the pipeline file; a processor receives a path that
        /// it can open.
        case path
        /// A URL.
        case url
        /// The path of a new file, relative to the folder for takes, with conversions of
        /// `strftime`.
        case newPath
        /// Paths relative to the pipeline file. Each is a text, or an object with `file` and
        /// `gain`.
        case playlist
    }

    /// Creates a description from its parts.
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
public enum SettingValue: Sendable, Equatable, Hashable, Codable {
    case number(Double)
    case toggle(Bool)
    case text(String)
    case playlist([PlaylistItem])

    /// The number; `nil` for other kinds.
    public var number: Double? { if case .number(let value) = self { value } else { nil } }
    /// The text; `nil` for other kinds.
    public var text: String? { if case .text(let value) = self { value } else { nil } }
    /// The state of a toggle; `nil` for other kinds.
    public var toggle: Bool? { if case .toggle(let value) = self { value } else { nil } }
    /// The items of a playlist; `nil` for other kinds.
    public var playlist: [PlaylistItem]? {
        if case .playlist(let items) = self { items } else { nil }
    }
}

/// One file of a playlist.
public struct PlaylistItem: Sendable, Equatable, Hashable, Codable {
    /// The path.
    ///
    /// In files it is relative to the pipeline file; a processor receives a path that it can open.
    public var path: String
    /// The gain in dB, from -120 through 24.
    public var gain: Double

    /// Creates an item from its parts.
    public init(path: String, gain: Double = 0) {
        self.path = path
        self.gain = gain
    }

    /// The valid values of `gain`, in dB.
    public static let gainRange = -120.0...24.0
}
