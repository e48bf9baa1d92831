internal import Processing

/// The facts about a plugin before it is loaded: plain values, read once from its description.
struct PluginShape {
    var uri: String
    /// The path of the plugin's library.
    var libraryPath: String
    /// The folder of the plugin's bundle.
    var bundlePath: String
    var author: String
    /// The ports in the order of their indices.
    var ports: [PortShape]
    /// The properties that messages set or report.
    var properties: [PropertyShape]
    var description: NodeDescription
    /// Whether the plugin requests its default state.
    var loadsDefaultState: Bool
    /// Whether a state may be restored during a run.
    var restoresWhileRunning: Bool
    /// An error in the description that prevents loading, although all features are offered.
    var error: String?

    /// Returns the indices of the ports that have a role.
    func ports(_ role: PortShape.Role) -> [Int] {
        ports.indices(of: role)
    }

    /// Whether it has ports for events, time or freewheeling.
    var usesMIDIOrTransport: Bool {
        ports.contains {
            switch $0.role {
            case .eventInput, .eventOutput, .freewheel, .time: true
            default: false
            }
        }
    }

    /// Whether it may report a changed latency or dropped messages.
    var reportsStatus: Bool { usesMIDIOrTransport || !ports(.latency).isEmpty }

    /// The indices of the ports for a block's inputs: audio, then control voltage.
    var signalInputs: [Int] { ports(.audioInput) + ports(.controlVoltageInput) }

    /// The indices of the ports for a block's outputs, in the same order.
    var signalOutputs: [Int] { ports(.audioOutput) + ports(.controlVoltageOutput) }
}

extension [PortShape] {
    /// Returns whether there is a port for property messages in a direction.
    func hasPatch(_ role: PortShape.Role) -> Bool { patchPort(role) != nil }

    /// Returns the index among the event ports of the first one for property messages.
    func patchPort(_ role: PortShape.Role) -> Int? {
        filter(\.isEvent).firstIndex { $0.role == role && $0.receivesMessages }
    }
}

/// A port from this host's point of view.
struct PortShape {
    /// The largest buffer that an event port may request, in bytes.
    static let maximumBytes = 1 << 28

    /// The use of a port.
    enum Role: Equatable {
        case audioInput, audioOutput
        /// A control input that is a parameter of the node.
        case parameter
        /// A control output that is a report of the node.
        case report
        /// The control input for freewheeling: 1 while the host does not render in real time.
        case freewheel
        /// The control input for the bypass: 0 while the node is bypassed.
        case enabled
        /// A control input that receives a quantity of time.
        case time(TimeQuantity)
        /// The control output with the latency, in frames.
        case latency
        case controlVoltageInput, controlVoltageOutput
        case eventInput, eventOutput
        /// A port of an unknown kind that may be left unconnected.
        case unconnected
        /// A port of an unknown kind that must be connected.
        case unknown
    }

    var symbol: String
    var label: String
    var role: Role
    /// Whether the description allows the port to be left unconnected.
    var isOptional = false
    /// The URI of its group; empty if it has none.
    var group = ""
    /// Its position in the order of channels; `nil` if it names no channel.
    var channelRank: Int?
    /// Whether an input, or its group, is declared as a side chain.
    var isSideChain = false
    /// The minimum size of an event port's buffer, in bytes.
    var minimumBytes = 0
    /// The symbols of ports whose buffers must not be larger than this event port's buffer.
    var asLargeAs: [String] = []
    /// Whether an event port carries messages about properties.
    var receivesMessages = false
    /// Whether an event port carries MIDI.
    var carriesMIDI = false
    /// Whether an event input receives time positions.
    var receivesTime = false
    /// Whether an event port is the plugin's main one.
    var isMain = false
    /// The value of an unconnected control voltage, or of a time control before the first position.
    var restingValue: Float = 0
    /// Whether a parameter moves gradually; not if that is expensive, clicks or acts as a trigger.
    var glides = false
}
