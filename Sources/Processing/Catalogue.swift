/// What a processor is made for.
public struct AudioFormat: Sendable, Hashable {
    /// Frames a second.
    public var sampleRate: Double
    /// The most frames that one run is given.
    public var maximumBlockFrames: Int
    /// Whether runs come by the clock, so that nothing may hold them up and what is late is lost.
    ///
    /// Otherwise all that a run asks for is done before the next one, and every render is the same.
    public var isLive: Bool
    /// The real-time priority (SCHED_FIFO) of the thread that runs it; nil where it has none.
    public var realtimePriority: Int32?

    /// All parts, each as its property says.
    public init(
        sampleRate: Double, maximumBlockFrames: Int, isLive: Bool = false,
        realtimePriority: Int32? = nil
    ) {
        self.sampleRate = sampleRate
        self.maximumBlockFrames = maximumBlockFrames
        self.isLive = isLive
        self.realtimePriority = realtimePriority
    }
}

/// One node's wishes, as its processor is made from them.
public struct ProcessorRequest: Sendable {
    /// Sample rate and block length.
    public var format: AudioFormat
    /// Channels that come in.
    ///
    /// A mixer's strips lie side by side.
    public var inputChannels: Int
    /// Channels that go out.
    public var outputChannels: Int
    /// For a mixer: how many channels each strip has.
    public var stripChannels: [Int]
    /// One value a parameter, in the order of the description; a mixer's strips follow, strip by
    /// strip.
    public var parameters: [Float]
    /// What the file says; a setting that it leaves out is not here.
    public var settings: [String: SettingValue]
    /// Beats a minute, for times given in beats.
    public var tempo: Double
    /// Where a plugin runs.
    public var isolation: Isolation

    /// All parts, each as its property says.
    public init(
        format: AudioFormat, inputChannels: Int, outputChannels: Int, stripChannels: [Int] = [],
        parameters: [Float],
        settings: [String: SettingValue] = [:], tempo: Double = 120, isolation: Isolation = .none
    ) {
        self.format = format
        self.inputChannels = inputChannels
        self.outputChannels = outputChannels
        self.stripChannels = stripChannels
        self.parameters = parameters
        self.settings = settings
        self.tempo = tempo
        self.isolation = isolation
    }
}

/// Where a plugin runs.
public enum Isolation: Sendable, Equatable {
    /// In this process.
    case none
    /// In a process of its own, one block later.
    case process
    /// In a process of its own that answers within the cycle.
    case sameCycle
}

/// Where plugins come from.
public protocol PluginSource: Sendable {
    /// What the plugin of this URI is.
    ///
    /// - Throws: `PluginFault` where it is not installed or its description is broken.
    func description(ofPlugin uri: String) throws(PluginFault) -> NodeDescription

    /// URIs of installed plugins, to suggest one near a wrong one.
    func installedPlugins() -> [String]

    /// The values that a preset gives to parameters, by name.
    ///
    /// - Throws: `PluginFault` where there is no such preset; its message lists those there are.
    func parameters(ofPreset preset: String, ofPlugin uri: String) throws(PluginFault) -> [String:
        Float]

    /// Loads and prepares the plugin.
    ///
    /// - Throws: `PluginFault` with the loader's or the plugin's own reason.
    func makeProcessor(forPlugin uri: String, _ request: ProcessorRequest) throws(PluginFault)
        -> Processor
}

/// Why a plugin, or an effect, can't be used.
public struct PluginFault: Error, Sendable, Equatable {
    /// A sentence without its full stop, as diagnostics have it.
    public var message: String
    /// Whether a plugin is not there at all.
    public var isMissing: Bool

    /// All parts, each as its property says.
    public init(_ message: String, isMissing: Bool = false) {
        self.message = message
        self.isMissing = isMissing
    }
}

/// Everything that a node may be.
public struct Catalogue: Sendable {
    /// The built-in effects, in the order they are listed in.
    public var effects: [Effect]
    /// Where LV2 plugins come from.
    public var plugins: any PluginSource
    /// What pipelines may do beside sounding.
    public var permissions: Permissions

    /// All parts, each as its property says.
    public init(
        effects: [Effect], plugins: any PluginSource, permissions: Permissions = Permissions()
    ) {
        self.effects = effects
        self.plugins = plugins
        self.permissions = permissions
    }

    /// The built-in effect of this name.
    public func effect(_ name: String) -> Effect? { effects.first { $0.description.name == name } }
}
