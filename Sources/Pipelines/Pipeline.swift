public import Processing

/// A checked pipeline: every name is resolved, every value is in its range, and nothing is optional
/// that need not be.
///
/// It is made by `Pipeline.init(decoding:…)`; a value of this type is valid.
public struct Pipeline: Sendable, Equatable {
    /// The file's, or the file's name without its extension; the default name of the JACK client.
    public var name: String
    /// What the file says about itself; may be empty.
    public var summary: String
    /// In the file's order; audio and MIDI.
    public var inputs: [Input]
    /// In the file's order; audio and MIDI.
    public var outputs: [Output]
    /// In the file's order, which need not be the order of processing.
    public var nodes: [Node]
    /// In the file's order.
    public var scenes: [Scene]
    /// The scene that is on at load, by its place in `scenes`.
    ///
    /// The nodes' values are the file's; the scene is applied over them.
    public var initialScene: Int?
    /// In the file's order.
    public var bindings: [Binding]
    /// Beats a minute.
    public var tempo: Double
    /// How long what was replaced may ring on, in seconds, from 0 through 60.
    public var tailSeconds: Double

    /// All parts, each as its property says.
    public init(
        name: String, summary: String, inputs: [Input], outputs: [Output], nodes: [Node],
        scenes: [Scene], initialScene: Int?, bindings: [Binding], tempo: Double, tailSeconds: Double
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
    }

    /// A signal that comes from outside.
    public struct Input: Sendable, Equatable {
        /// Its name in references and for ports.
        public var name: String
        /// From 1 through 64; 0 for MIDI.
        public var channels: Int
        /// What it carries.
        public var kind: SignalKind
        /// What its channels connect to; one rule a channel, or one that matches several ports in order.
        public var connect: [ConnectionRule]

        /// All parts, each as its property says.
        public init(name: String, channels: Int, kind: SignalKind, connect: [ConnectionRule]) {
            self.name = name
            self.channels = channels
            self.kind = kind
            self.connect = connect
        }
    }

    /// A signal that goes outside.
    public struct Output: Sendable, Equatable {
        /// Its name, for ports.
        public var name: String
        /// From 1 through 64; 0 for MIDI.
        public var channels: Int
        /// What it carries.
        public var kind: SignalKind
        /// What each channel takes: as many as `channels`.
        public var taps: [Tap]
        /// Whether a safety limiter at -0.3 dBFS guards it; false for MIDI.
        public var hasLimiter: Bool
        /// What its channels connect to; one rule a channel, or one that matches several ports in order.
        public var connect: [ConnectionRule]
        /// For MIDI: the node whose events it gives, by its place in `nodes`; nil where none does.
        public var events: Int?

        /// All parts, each as its property says.
        public init(
            name: String, channels: Int, kind: SignalKind, taps: [Tap], hasLimiter: Bool,
            connect: [ConnectionRule], events: Int? = nil
        ) {
            self.name = name
            self.channels = channels
            self.kind = kind
            self.taps = taps
            self.hasLimiter = hasLimiter
            self.connect = connect
            self.events = events
        }
    }

    /// What a signal carries.
    public enum SignalKind: String, Sendable { case audio, midi }

    /// One channel of a signal inside the graph.
    public struct Tap: Sendable, Hashable {
        /// Where the channel comes from.
        public var source: Source
        /// From 0.
        public var channel: Int

        /// Channel `channel`, from 0, of `source`.
        public init(_ source: Source, channel: Int) {
            self.source = source
            self.channel = channel
        }
    }

    /// Where a signal comes from, by its place in the pipeline's `inputs` or `nodes`.
    public enum Source: Sendable, Hashable {
        case input(Int)
        case node(Int)
    }

    /// A JACK port to connect to.
    public enum ConnectionRule: Sendable, Equatable {
        /// A port's full name.
        case port(String)
        /// A regular expression, without its slashes, that port names must match as a whole.
        case pattern(String)
    }

    /// One node, with everything decided.
    public struct Node: Sendable, Equatable {
        /// Unique in the pipeline.
        public var id: String
        /// What it is.
        public var type: NodeType
        /// What its type is; ranges in it may stand in multiples of the sample rate.
        public var description: NodeDescription
        /// What each processor of the node takes, a tap for each of its inputs; nil is silence, for
        /// a port left unconnected.
        ///
        /// One processor, save for a mono plugin fed several channels, which is there once a
        /// channel.
        public var instances: [[Tap?]]
        /// Channels that the node gives, all processors together.
        public var outputChannels: Int
        /// For a mixer: its strips in order; their channels lie side by side in the one instance.
        public var strips: [Strip]
        /// All parameters of the node: the description's, then for each strip its own, named `<strip>.<name>`.
        ///
        /// Their ranges hold at the sample rate that the file was checked for: none stands in multiples of it.
        public var parameters: [ParameterDescription]
        /// The value of each parameter at load.
        public var values: [Float]
        /// What the file says; a setting that it leaves out is not here.
        public var settings: [String: SettingValue]
        /// Whether the dry signal passes at load.
        public var isBypassed: Bool
        /// Wet share, from 0 through 1.
        public var mix: Float
        /// Where the plugin runs; for an effect `none`.
        public var isolation: Isolation
        /// The MIDI input that feeds its events, by its place in `inputs`.
        public var events: Int?
        /// For a source: how long it sounds from its beginning, in seconds; nil where nothing ends it, or nothing begins it.
        public var durationSeconds: Double?

        /// All parts, each as its property says.
        public init(
            id: String, type: NodeType, description: NodeDescription, instances: [[Tap?]],
            outputChannels: Int, strips: [Strip], parameters: [ParameterDescription],
            values: [Float],
            settings: [String: SettingValue], isBypassed: Bool, mix: Float, isolation: Isolation,
            events: Int?, durationSeconds: Double? = nil
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
        }
    }

    /// What a node is.
    public enum NodeType: Sendable, Hashable {
        case effect(String)
        /// An LV2 plugin by its URI.
        case plugin(String)
    }

    /// One strip of a mixer.
    public struct Strip: Sendable, Equatable {
        /// The signal it takes, as the file writes it.
        public var name: String
        /// From 1.
        public var channels: Int

        /// All parts, each as its property says.
        public init(name: String, channels: Int) {
            self.name = name
            self.channels = channels
        }
    }

    /// A named set of values.
    public struct Scene: Sendable, Equatable {
        /// Unique in the pipeline.
        public var name: String
        /// In the file's order.
        public var changes: [Change]

        /// All parts, each as its property says.
        public init(name: String, changes: [Change]) {
            self.name = name
            self.changes = changes
        }
    }

    /// A value for an address.
    public struct Change: Sendable, Equatable {
        /// What gets the value.
        public var address: Address
        /// In the target's unit; 0 or 1 for toggles, a choice's own number.
        public var value: Float

        /// All parts, each as its property says.
        public init(address: Address, value: Float) {
            self.address = address
            self.value = value
        }
    }

    /// What may be moved while the pipeline plays.
    public struct Address: Sendable, Hashable {
        /// The node's place in `nodes`.
        public var node: Int
        /// What of the node.
        public var target: Target

        /// What of the node.
        public enum Target: Sendable, Hashable {
            /// By its place in the node's `parameters`.
            case parameter(Int)
            case bypass
            case mix
        }

        /// An address of the node at `node`, from 0.
        public init(node: Int, target: Target) {
            self.node = node
            self.target = target
        }
    }
}
