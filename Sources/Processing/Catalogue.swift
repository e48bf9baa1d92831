/// The conditions under which a processor runs.
public struct AudioFormat: Sendable, Hashable, Codable {
    /// The sample rate in Hz.
    public var sampleRate: Double
    /// The largest number of frames in one run.
    public var maximumBlockFrames: Int
    /// Whether the processor runs in real time: nothing may delay a run, and data that arrives late
    /// is lost.
    ///
    /// Otherwise every request of a run is fulfilled before the next run, so that all renders are
    /// equal.
    public var isLive: Bool
    /// Whether the processor repeats a live run, not in real time: data arrives in the runs in which
    /// it arrived then (`ArrivalLog`).
    public var isReplay: Bool
    /// The real-time priority (SCHED_FIFO) of the thread that runs the processor; `nil` if its
    /// scheduling is normal.
    public var realtimePriority: Int32?
    /// The number of cores that the engine uses, at least 1.
    public var coreCount: Int

    /// Creates a format from its parts.
    public init(
        sampleRate: Double, maximumBlockFrames: Int, isLive: Bool = false,
        isReplay: Bool = false, realtimePriority: Int32? = nil, coreCount: Int = 1
    ) {
        self.sampleRate = sampleRate
        self.maximumBlockFrames = maximumBlockFrames
        self.isLive = isLive
        self.isReplay = isReplay
        self.realtimePriority = realtimePriority
        self.coreCount = coreCount
    }

    /// Whether data can arrive too late: in real time, and in a replay.
    public var mayLackData: Bool { isLive || isReplay }
}

/// A request for the processor of one node.
public struct ProcessorRequest: Sendable {
    /// The sample rate and the block size.
    public var format: AudioFormat
    /// The number of input channels.
    ///
    /// The inputs of a mixer are the channels of its strips, strip by strip.
    public var inputChannels: Int
    /// The number of output channels.
    public var outputChannels: Int
    /// The number of channels of each strip of a mixer.
    public var stripChannels: [Int]
    /// The value of each parameter, in the order of the description.
    ///
    /// The parameters of a mixer's strips follow, strip by strip.
    public var parameters: [Float]
    /// The settings in the file; a setting that the file omits is missing.
    public var settings: [String: SettingValue]
    /// The tempo in beats per minute, for times in beats.
    public var tempo: Double
    /// The process in which a plugin runs.
    public var isolation: Isolation
    /// The restrictions for the process of an isolated plugin.
    public var sandbox: Sandbox
    /// The seed of random choices, for a replay; `nil` for a new one.
    public var seed: UInt64?
    /// The id of the node, for incidents that come after the node was removed.
    public var node: String

    /// Creates a request from its parts.
    public init(
        format: AudioFormat, inputChannels: Int, outputChannels: Int, stripChannels: [Int] = [],
        parameters: [Float],
        settings: [String: SettingValue] = [:], tempo: Double = 120, isolation: Isolation = .none,
        sandbox: Sandbox = .on(folder: nil), seed: UInt64? = nil, node: String = ""
    ) {
        self.format = format
        self.inputChannels = inputChannels
        self.outputChannels = outputChannels
        self.stripChannels = stripChannels
        self.parameters = parameters
        self.settings = settings
        self.tempo = tempo
        self.isolation = isolation
        self.sandbox = sandbox
        self.seed = seed
        self.node = node
    }
}

/// The process in which a plugin runs.
public enum Isolation: Sendable, Equatable, Codable {
    /// This process.
    case none
    /// A separate process, with one block of additional latency.
    case process
    /// A separate process that answers within the cycle.
    case sameCycle
}

/// The restrictions for the process of an isolated plugin.
public enum Sandbox: Sendable, Equatable, Codable {
    /// No restrictions beyond those of this program.
    case off
    /// Access only to the files that plugins need, the files in the node's settings, and the
    /// pipeline's folder for reading.
    ///
    /// An empty folder is the working folder; `nil` allows no folder.
    case on(folder: String?)
}

/// A source of plugins.
public protocol PluginSource: Sendable {
    /// Returns the description of the plugin with this URI.
    ///
    /// - Throws: `PluginError` if the plugin is not installed or its description is broken.
    func description(ofPlugin uri: String) throws(PluginError) -> NodeDescription

    /// Returns the URIs of all installed plugins, for suggestions.
    func installedPlugins() -> [String]

    /// Returns the URIs of the installed plugins with a name, ignoring case; sorted.
    func plugins(named name: String) -> [String]

    /// Returns whether the URI, the name, the author or the category of an installed plugin
    /// contains a word, ignoring case.
    func hasPlugins(matching word: String) -> Bool

    /// Returns the values of a preset by parameter name.
    ///
    /// - Throws: `PluginError` if there is no such preset; its message lists the existing presets.
    func parameters(ofPreset preset: String, ofPlugin uri: String) throws(PluginError) -> [String:
        Float]

    /// Loads and prepares the plugin.
    ///
    /// - Throws: `PluginError` with the reason of the loader or of the plugin.
    func makeProcessor(forPlugin uri: String, _ request: ProcessorRequest) throws(PluginError)
        -> Processor
}

extension PluginSource {
    /// Returns an empty list: this source does not search for names.
    public func plugins(named name: String) -> [String] { [] }

    /// Returns `false`: this source does not search for words.
    public func hasPlugins(matching word: String) -> Bool { false }
}

/// The reason why a plugin or an effect cannot be used.
public struct PluginError: Error, Sendable, Equatable {
    /// A sentence without a full stop, as in diagnostics.
    public var message: String
    /// Whether the plugin is not installed.
    public var isMissing: Bool

    /// Creates an error from its parts.
    public init(_ message: String, isMissing: Bool = false) {
        self.message = message
        self.isMissing = isMissing
    }

    /// Returns the error that the system has no memory for a buffer of this size.
    public static func noMemory(forBytes bytes: Int) -> PluginError {
        PluginError("out of memory: it needs \(ByteCount(bytes))")
    }
}

/// All types of nodes, and the limits for pipelines.
public struct Catalogue: Sendable {
    /// The built-in effects, in the order of lists.
    public var effects: [Effect]
    /// The source of LV2 plugins.
    public var plugins: any PluginSource
    /// The permissions of pipelines.
    public var permissions: Permissions
    /// The memory that processors and their buffers may use.
    public var memory: MemoryBudget

    /// Creates a catalogue from its parts.
    public init(
        effects: [Effect], plugins: any PluginSource, permissions: Permissions = Permissions(),
        memory: MemoryBudget = .system
    ) {
        self.effects = effects
        self.plugins = plugins
        self.permissions = permissions
        self.memory = memory
    }

    /// Returns the built-in effect with this name.
    public func effect(_ name: String) -> Effect? { effects.first { $0.description.name == name } }
}
