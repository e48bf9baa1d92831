public import Processing

// The compiler makes such initialisers for its own module alone; what builds pipelines by hand needs them too.

extension Pipeline {
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
}

extension Pipeline.Input {
    /// All parts, each as its property says.
    public init(name: String, channels: Int, kind: SignalKind, connect: [ConnectionRule]) {
        self.name = name
        self.channels = channels
        self.kind = kind
        self.connect = connect
    }
}

extension Pipeline.Output {
    /// All parts, each as its property says.
    public init(
        name: String, channels: Int, kind: SignalKind, taps: [Tap], hasLimiter: Bool,
        connect: [ConnectionRule]
    ) {
        self.name = name
        self.channels = channels
        self.kind = kind
        self.taps = taps
        self.hasLimiter = hasLimiter
        self.connect = connect
    }
}

extension Pipeline.Node {
    /// All parts, each as its property says.
    public init(
        id: String, type: NodeType, description: NodeDescription, instances: [[Tap?]],
        outputChannels: Int, strips: [Strip], parameters: [ParameterDescription], values: [Float],
        settings: [String: SettingValue], isBypassed: Bool, mix: Float, isolation: Isolation,
        events: Int?
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
    }
}

extension Pipeline.Strip {
    /// All parts, each as its property says.
    public init(name: String, channels: Int) {
        self.name = name
        self.channels = channels
    }
}

extension Pipeline.Scene {
    /// All parts, each as its property says.
    public init(name: String, changes: [Change]) {
        self.name = name
        self.changes = changes
    }
}

extension Pipeline.Change {
    /// All parts, each as its property says.
    public init(address: Address, value: Float) {
        self.address = address
        self.value = value
    }
}

extension Pipeline.Binding {
    /// All parts, each as its property says.
    public init(trigger: Trigger, channel: Int?, port: Int?, action: Action) {
        self.trigger = trigger
        self.channel = channel
        self.port = port
        self.action = action
    }
}
