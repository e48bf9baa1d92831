/// A built-in effect: its description, and how its processor is created.
public struct Effect: Sendable {
    /// The description of the effect's nodes.
    public var description: NodeDescription
    /// Inspects the files that the settings name.
    ///
    /// The settings have the right kinds, but a file may be missing.
    public var inspect: @Sendable ([String: SettingValue]) throws(SettingError) -> SettingFacts
    /// Estimates how many bytes a processor for the request allocates, before it is made.
    public var memoryBytes: @Sendable (ProcessorRequest) -> Int
    /// Creates a processor for a request that was checked against the description.
    ///
    /// - Throws: `PluginError` if a file that the settings name no longer exists.
    public var makeProcessor: @Sendable (ProcessorRequest) throws(PluginError) -> Processor
    /// The changes of settings that running processors follow; `nil` if a change of any setting
    /// needs a new processor.
    public var settingsRule: SettingsRule?

    /// The assumed memory of an effect that does not state it, in bytes.
    public static let defaultMemoryBytes = 4096

    /// Creates an effect from its parts.
    ///
    /// By default, `inspect` finds nothing, and a change of settings needs a new processor.
    public init(
        description: NodeDescription,
        inspect: @escaping @Sendable ([String: SettingValue]) throws(SettingError) -> SettingFacts =
            { _ throws(SettingError) in SettingFacts() },
        memoryBytes: @escaping @Sendable (ProcessorRequest) -> Int = { _ in defaultMemoryBytes },
        settingsRule: SettingsRule? = nil,
        makeProcessor: @escaping @Sendable (ProcessorRequest) throws(PluginError) -> Processor
    ) {
        self.description = description
        self.inspect = inspect
        self.memoryBytes = memoryBytes
        self.settingsRule = settingsRule
        self.makeProcessor = makeProcessor
    }
}

/// Facts about the files that a node's settings name, from the time of the check.
public struct SettingFacts: Sendable, Equatable {
    /// The number of output channels of a source.
    public var outputChannels: Int?
    /// The duration of a source, in seconds; `nil` if it has no end or no automatic start.
    public var durationSeconds: Double?

    /// Creates facts; a fact that does not apply is `nil`.
    public init(outputChannels: Int? = nil, durationSeconds: Double? = nil) {
        self.outputChannels = outputChannels
        self.durationSeconds = durationSeconds
    }
}

/// The reason why a setting of the right kind is not valid.
public struct SettingError: Error, Sendable, Equatable {
    /// The setting's name.
    public var setting: String
    /// The index of the item in a playlist; `nil` for other settings.
    public var item: Int?
    /// The kind of error.
    public var kind: Kind
    /// A sentence without a full stop, as in diagnostics.
    public var message: String

    /// The kinds of errors in a setting.
    public enum Kind: Sendable {
        /// A file cannot be read or written.
        case file
        /// The value is out of range.
        case range
    }

    /// Creates an error from its parts.
    public init(_ setting: String, item: Int? = nil, _ kind: Kind, _ message: String) {
        self.setting = setting
        self.item = item
        self.kind = kind
        self.message = message
    }
}
