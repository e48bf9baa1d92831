internal import Processing

/// All that is known of a plugin before it is loaded: read once from its description, then plain values.
struct PluginShape {
    var uri: String
    /// Where the plugin's library is.
    var libraryPath: String
    /// The folder that the plugin came in.
    var bundlePath: String
    var author: String
    /// In the order of their indices.
    var ports: [PortShape]
    /// The properties that messages set or tell.
    var properties: [PropertyShape]
    var description: NodeDescription
    /// Whether it asks for its default state.
    var loadsDefaultState: Bool
    /// Whether a state may be restored while it runs.
    var restoresWhileRunning: Bool
    /// What keeps the plugin from being loaded although its features are all offered: a fault of its description.
    var fault: String?

    /// The indices of the ports that have a role.
    func ports(_ role: PortShape.Role) -> [Int] {
        ports.indices(of: role)
    }

    /// Whether it has ports for events or time, or one that tells of freewheeling.
    var playsInTime: Bool {
        ports.contains {
            switch $0.role {
            case .eventInput, .eventOutput, .freewheel, .time: true
            default: false
            }
        }
    }

    /// Whether it may tell something beside its sound: another latency, or messages that it had no room for.
    var tellsNews: Bool { playsInTime || !ports(.latency).isEmpty }

    /// The indices of the ports that a block's inputs go to: those of audio, then those of control voltage.
    var signalInputs: [Int] { ports(.audioInput) + ports(.controlVoltageInput) }

    /// The indices of the ports that a block's outputs come from, in the same order.
    var signalOutputs: [Int] { ports(.audioOutput) + ports(.controlVoltageOutput) }
}

extension [PortShape] {
    /// Whether there is a port for messages in or out.
    func hasPatch(_ role: PortShape.Role) -> Bool { patchPort(role) != nil }

    /// The place among the event ports of the first one for messages in or out.
    func patchPort(_ role: PortShape.Role) -> Int? {
        filter(\.isEvent).firstIndex { $0.role == role && $0.takesMessages }
    }
}

/// A port as this host uses it.
struct PortShape {
    /// The most bytes that an event port may ask for.
    static let mostBytes = 1 << 28

    /// What is connected to it.
    enum Role: Equatable {
        case audioInput, audioOutput
        /// A control that is a parameter of the node.
        case parameter
        /// A control output that is a report of the node.
        case report
        /// The control input that tells whether nobody waits for the sound.
        case freewheel
        /// The control input that tells whether the plugin is heard: 0 while the node is bypassed.
        case enabled
        /// A control input that is told a quantity of time.
        case time(TimeQuantity)
        /// The control output that tells the latency in frames.
        case latency
        case controlVoltageInput, controlVoltageOutput
        case eventInput, eventOutput
        /// A port of a kind not known here that may stay unconnected.
        case unconnected
        /// A port of a kind not known here that must be connected.
        case unknown
    }

    var symbol: String
    var label: String
    var role: Role
    /// Whether it says of itself that it may stay unconnected.
    var isOptional = false
    /// The URI of its group; empty where it is in none.
    var group = ""
    /// Its place in the order of channels; nil where it says none.
    var channelRank: Int?
    /// Whether an input says of itself, or its group does, that it is a side chain.
    var isSideChain = false
    /// How many bytes an event port's buffer must hold, as the plugin says.
    var minimumBytes = 0
    /// The symbols of ports whose buffers an event port's buffer must be as large as.
    var asLargeAs: [String] = []
    /// Whether an event port is one for messages about properties.
    var takesMessages = false
    /// Whether an event port takes or gives MIDI.
    var carriesMIDI = false
    /// Whether an event input is told where time stands.
    var takesTime = false
    /// Whether an event port is the plugin's main one.
    var isMain = false
    /// What a control voltage is at where nothing feeds it, and a control of time before it is told.
    var restingValue: Float = 0
    /// Whether a parameter moves gradually; what is expensive to change or switches does not.
    var glides = false
}
