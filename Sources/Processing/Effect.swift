/// A built-in effect: what it is, and how its processor is made.
public struct Effect: Sendable {
    /// What the effect is.
    public var description: NodeDescription
    /// Looks at what settings of the right kinds lead to; a file may not be there.
    public var inspect: @Sendable ([String: SettingValue]) throws(SettingFault) -> SettingFacts
    /// Makes a processor for the request, which was checked against the description.
    ///
    /// - Throws: `PluginFault` where what the settings lead to is not there any more.
    public var makeProcessor: @Sendable (ProcessorRequest) throws(PluginFault) -> Processor

    /// All parts, each as its property says; where nothing is looked at, nothing is found.
    public init(
        description: NodeDescription,
        inspect: @escaping @Sendable ([String: SettingValue]) throws(SettingFault) -> SettingFacts =
            { _ throws(SettingFault) in SettingFacts() },
        makeProcessor: @escaping @Sendable (ProcessorRequest) throws(PluginFault) -> Processor
    ) {
        self.description = description
        self.inspect = inspect
        self.makeProcessor = makeProcessor
    }
}

/// What the settings of a node lead to, as it was when its file was checked.
public struct SettingFacts: Sendable, Equatable {
    /// For a source: how many channels it gives.
    public var outputChannels: Int?
    /// How long a source sounds from its beginning, in seconds; nil where nothing ends it, or nothing begins it.
    public var durationSeconds: Double?

    /// All parts, each as its property says.
    public init(outputChannels: Int? = nil, durationSeconds: Double? = nil) {
        self.outputChannels = outputChannels
        self.durationSeconds = durationSeconds
    }
}

/// Why a setting that is of the right kind does not do.
public struct SettingFault: Error, Sendable, Equatable {
    /// The setting's name.
    public var setting: String
    /// For a playlist: which item, from 0.
    public var item: Int?
    /// What is wrong.
    public var kind: Kind
    /// A sentence without its full stop, as diagnostics have it.
    public var message: String

    /// What may be wrong with a setting.
    public enum Kind: Sendable {
        /// A file can't be read or written.
        case file
        /// Another value would do.
        case range
    }

    /// All parts, each as its property says.
    public init(_ setting: String, item: Int? = nil, _ kind: Kind, _ message: String) {
        self.setting = setting
        self.item = item
        self.kind = kind
        self.message = message
    }
}
