public import Processing

/// A checked pipeline: all names are resolved, and all values are in range.
///
/// `Pipeline.init(decoding:…)` creates only valid pipelines.
public struct Pipeline: Sendable, Equatable, Codable {
    /// The name of the pipeline, and the default JACK client name.
    ///
    /// If the file has no name, it is the file name without its extension.
    public var name: String
    /// The description in the file; can be empty.
    public var summary: String
    /// The audio and MIDI inputs in the order of the file.
    public var inputs: [Input]
    /// The audio and MIDI outputs in the order of the file.
    public var outputs: [Output]
    /// The nodes in the order of the file, which can differ from the processing order.
    public var nodes: [Node]
    /// The scenes in the order of the file.
    public var scenes: [Scene]
    /// The index in `scenes` of the scene that is active at load.
    ///
    /// The nodes have the values of the file; the scene overrides them.
    public var initialScene: Int?
    /// The bindings in the order of the file.
    public var bindings: [Binding]
    /// The tempo in beats per minute.
    public var tempo: Double
    /// The longest time for which replaced nodes ring out, in seconds, from 0 through 60.
    public var tailSeconds: Double
    /// The messages that are sent when the pipeline starts as a song, in order.
    public var messages: [Message]
    /// The gain of all audio outputs in dB, from -60 through 24; a setlist gives it to its songs.
    public var gainDecibels = 0.0
    /// The number of cores that should run the nodes; `nil` if the file does not say.
    public var cores: Cores?
    /// The part that belongs to the setlist; `nil` if the setlist has neither nodes nor audio
    /// outputs.
    public var outer: OuterLevel?
    /// The programs that exchange audio with other machines, in the order of the file.
    public var bridges: [Bridge] = []
    /// The session that this one follows, or `nil`; a song of a setlist does not use it.
    public var followed: FollowedSession?

    /// Creates a pipeline from its properties.
    public init(
        name: String, summary: String, inputs: [Input], outputs: [Output], nodes: [Node],
        scenes: [Scene], initialScene: Int?, bindings: [Binding], tempo: Double,
        tailSeconds: Double,
        messages: [Message] = []
    ) {
        self.name = name
        self.summary = summary
        self.inputs = inputs
        self.outputs = outputs
        self.nodes = nodes
        self.scenes = scenes
        self.initialScene = initialScene
        self.bindings = bindings
        self.tempo = tempo
        self.tailSeconds = tailSeconds
        self.messages = messages
    }

    /// A number of cores.
    public enum Cores: Sendable, Equatable, Codable {
        /// As many as pay.
        case auto
        /// Always this number, from 1 through 32.
        case count(Int)
    }

    /// An input signal of the pipeline.
    public struct Input: Sendable, Equatable, Codable {
        /// The name in references and of the ports.
        public var name: String
        /// The number of channels, from 1 through 64; 0 for MIDI.
        public var channels: Int
        /// The kind of the signal.
        public var kind: SignalKind
        /// The connections: one rule per channel, or one rule that matches several ports in order.
        public var connect: [ConnectionRule]
        /// Whether the tempo follows the MIDI clock of the input.
        public var hasClock: Bool
        /// The time since the sound of an audio input was captured, in ms from 0 through 1000; `nil`
        /// if the file does not state it.
        public var latencyMilliseconds: Double?

        /// Creates an input from its properties.
        public init(
            name: String, channels: Int, kind: SignalKind, connect: [ConnectionRule],
            hasClock: Bool = false
        ) {
            self.name = name
            self.channels = channels
            self.kind = kind
            self.connect = connect
            self.hasClock = hasClock
        }
    }

    /// An output signal of the pipeline.
    public struct Output: Sendable, Equatable, Codable {
        /// The name of the ports.
        public var name: String
        /// The number of channels, from 1 through 64; 0 for MIDI.
        public var channels: Int
        /// The kind of the signal.
        public var kind: SignalKind
        /// The source of each channel, `nil` for silence; the count is the same as `channels`.
        public var taps: [Tap?]
        /// Whether a safety limiter at -0.3 dBFS protects the output; `false` for MIDI.
        public var hasLimiter: Bool
        /// The connections: one rule per channel, or one rule that matches several ports in order.
        public var connect: [ConnectionRule]
        /// The index in `nodes` of the node whose events a MIDI output sends; `nil` without one.
        public var events: Int?
        /// The channels, from 0, whose signals are not aligned with the other channels.
        public var unalignedChannels: Set<Int> = []
        /// The channels, from 0, whose signals come from the song, in a pipeline with an outer level.
        public var songChannels: Set<Int> = []
        /// Whether the output sends a MIDI clock.
        public var hasClock: Bool
        /// The time until the sound of an audio output is heard, in ms from 0 through 1000; `nil` if
        /// the file does not state it.
        public var latencyMilliseconds: Double?

        /// Creates an output from its properties.
        public init(
            name: String, channels: Int, kind: SignalKind, taps: [Tap?], hasLimiter: Bool,
            connect: [ConnectionRule], events: Int? = nil, hasClock: Bool = false
        ) {
            self.name = name
            self.channels = channels
            self.kind = kind
            self.taps = taps
            self.hasLimiter = hasLimiter
            self.connect = connect
            self.events = events
            self.hasClock = hasClock
        }
    }

    /// The kind of a signal.
    public enum SignalKind: String, Sendable, Codable { case audio, midi }

    /// A channel of a signal inside the graph.
    public struct Tap: Sendable, Hashable, Codable {
        /// The source of the signal.
        public var source: Source
        /// The channel, from 0.
        public var channel: Int

        /// Creates a tap of a channel, from 0.
        public init(_ source: Source, channel: Int) {
            self.source = source
            self.channel = channel
        }
    }

    /// The source of a signal, by its index in the pipeline's `inputs` or `nodes`.
    public enum Source: Sendable, Hashable, Codable {
        case input(Int)
        case node(Int)
    }

    /// A rule for JACK ports to connect to.
    public enum ConnectionRule: Sendable, Equatable, Codable {
        /// The full name of a port.
        case port(String)
        /// A regular expression without its slashes, which must match the whole port name.
        case pattern(String)
        /// No connection for a channel before others that have one.
        case nothing

        /// The rule as written in the file.
        public var text: String {
            switch self {
            case .port(let name): name
            case .pattern(let pattern): "/\(pattern)/"
            case .nothing: ""
            }
        }
    }

    /// A node with all its properties resolved.
    public struct Node: Sendable, Equatable {
        /// The id, unique in the pipeline.
        public var id: String
        /// The effect or plugin of the node.
        public var type: NodeType
        /// The description of the type; its ranges can be multiples of the sample rate.
        public var description: NodeDescription
        /// The source of each input of each processor; `nil` means silence at an unconnected port.
        ///
        /// There is one processor, except for a mono plugin fed by several channels, which has one
        /// processor per channel.
        public var instances: [[Tap?]]
        /// The number of output channels of all processors together.
        public var outputChannels: Int
        /// The strips of a mixer; its single processor has their channels in the same order.
        public var strips: [Strip]
        /// All parameters: the parameters of the description, then of each strip, named
        /// `<strip>.<name>`.
        ///
        /// Their ranges apply to the sample rate of the check; none is a multiple of it.
        public var parameters: [ParameterDescription]
        /// The value of each parameter at load.
        public var values: [Float]
        /// The settings in the file; absent settings are not included.
        public var settings: [String: SettingValue]
        /// Whether the node is bypassed at load.
        public var isBypassed: Bool
        /// The share of the wet signal, from 0 through 1.
        public var mix: Float
        /// The isolation of a plugin; `none` for an effect.
        public var isolation: Isolation
        /// The access rights of an isolated plugin's process.
        public var sandbox: Sandbox
        /// The index in `inputs` of the MIDI input that feeds the node's events.
        public var events: Int?
        /// The duration of a source in seconds; `nil` if it has no end or waits for a start.
        public var durationSeconds: Double?
        /// Whether the node cannot play as its file describes it, so that it passes its input
        /// through; a node without audio inputs is silent.
        public var isStandIn: Bool
        /// The inputs whose signals are not aligned with the other inputs; the inputs of all
        /// processors are numbered together, from 0.
        public var unalignedInputs: Set<Int> = []
        /// The inputs of mixer strips that are always off, numbered in the same way; no signal waits
        /// for theirs.
        public var offInputs: Set<Int> = []
        /// The inputs of a node of the outer level that receive an output of the song, numbered in
        /// the same way.
        public var songInputs: Set<Int> = []
        /// Whether the node is always bypassed, so that its latency delays no signal.
        public var isAlwaysBypassed = false
        /// The cheaper variant for times in which the machine is too slow; `nil` without one.
        public var whenLate: WhenLate?
        /// Whether the cheaper variant plays, which the session decides.
        public var isReduced = false

        /// Creates a node from its properties.
        public init(
            id: String, type: NodeType, description: NodeDescription, instances: [[Tap?]],
            outputChannels: Int, strips: [Strip], parameters: [ParameterDescription],
            values: [Float],
            settings: [String: SettingValue], isBypassed: Bool, mix: Float, isolation: Isolation,
            events: Int?, durationSeconds: Double? = nil, sandbox: Sandbox = .on(folder: nil),
            isStandIn: Bool = false
        ) {
            self.id = id
            self.type = type
            self.description = description
            self.instances = instances
            self.outputChannels = outputChannels
            self.strips = strips
            self.parameters = parameters
            self.values = values
            self.settings = settings
            self.isBypassed = isBypassed
            self.mix = mix
            self.isolation = isolation
            self.events = events
            self.durationSeconds = durationSeconds
            self.sandbox = sandbox
            self.isStandIn = isStandIn
        }
    }

    /// The type of a node.
    public enum NodeType: Sendable, Hashable, Codable {
        case effect(String)
        /// An LV2 plugin, by its URI.
        case plugin(String)
    }

    /// A strip of a mixer.
    public struct Strip: Sendable, Equatable, Codable {
        /// The signal of the strip, as written in the file.
        public var name: String
        /// The number of channels, at least 1.
        public var channels: Int

        /// Creates a strip from its properties.
        public init(name: String, channels: Int) {
            self.name = name
            self.channels = channels
        }
    }

    /// A named set of values and settings.
    public struct Scene: Sendable, Equatable, Codable {
        /// The name, unique in the pipeline.
        public var name: String
        /// The changes in the order of the file, after the values of the presets that the scene
        /// names.
        public var changes: [Change]
        /// The settings in the order of the file.
        public var settings: [SceneSetting]
        /// The messages that the scene sends each time it is called, in order.
        public var messages: [Message]
        /// How the changes fade; all are immediate if the file does not say otherwise.
        public var fades = SceneFades()
        /// The gain of all audio outputs while the scene is in effect, in dB, from -60 through 24;
        /// `nil` if the file does not state it, which is 0 dB.
        public var gainDecibels: Double?
        /// The place of the scene in the cue list; empty if the file does not state it.
        public var cue = Cue()

        /// Creates a scene from its properties.
        public init(
            name: String, changes: [Change], settings: [SceneSetting] = [],
            messages: [Message] = []
        ) {
            self.name = name
            self.changes = changes
            self.settings = settings
            self.messages = messages
        }
    }

    /// A new value for an address.
    public struct Change: Sendable, Equatable, Codable {
        /// The address of the value.
        public var address: Address
        /// The value in the unit of the target; 0 or 1 for toggles, the number of a choice.
        public var value: Float

        /// Creates a change from its properties.
        public init(address: Address, value: Float) {
            self.address = address
            self.value = value
        }
    }

    /// The address of a value that can change while the pipeline plays.
    public struct Address: Sendable, Hashable, Codable {
        /// The index of the node in `nodes`.
        public var node: Int
        /// The value of the node.
        public var target: Target

        /// A value of a node.
        public enum Target: Sendable, Hashable, Codable {
            /// A parameter, by its index in the node's `parameters`.
            case parameter(Int)
            case bypass
            case mix
        }

        /// Creates an address for the node with an index, from 0.
        public init(node: Int, target: Target) {
            self.node = node
            self.target = target
        }
    }
}
