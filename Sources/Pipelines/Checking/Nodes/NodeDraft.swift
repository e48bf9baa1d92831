internal import Processing

/// A node during the check; values that an error hides are `nil`.
struct NodeDraft {
    let element: JSONElement
    /// The id as written in the file; empty if it is absent.
    let id: String
    let type: Pipeline.NodeType?
    let description: TypeDescription?
    /// The signals that feed the node; `ReferenceCheck` sets them.
    var feeds: Feeds = .invalid
    /// The strips of a mixer by name; `nil` if they are not known.
    var stripIndex: [String: Int]?
    var instances: [[Pipeline.Tap?]] = []
    var strips: [Pipeline.Strip] = []
    /// The indices of the inputs, among those of all instances, that are not aligned.
    var unalignedInputs: Set<Int> = []
    /// The number of output channels; `nil` if an error hides it.
    var outputChannels: Int?
    /// The setting `channels` of a mixer or a source; `nil` if it is absent.
    var channelsSetting: Int?
    /// The facts that follow from the settings; `nil` if an error hides them.
    var facts: SettingFacts?
    /// The cheaper variant of the node; `nil` without one, or if an error hides it.
    var whenLate: WhenLate?
    /// Whether the node passes its input through, because it cannot play as the file describes it.
    var isStandIn = false
    /// The output ports of a stand-in that references name, in the order of its channels; `nil` for
    /// other nodes.
    var standInPorts: [String]?
    /// The number of outputs that a stand-in should have; `nil` if no receiver demands a number.
    var wantedChannels: Int?

    /// The position for diagnostics about the signals that feed the node.
    var feedOffset: Int { (element["from"] ?? element["ports"] ?? element).start }
}

/// The signals that feed a node or an output.
enum Feeds {
    /// A source, which no signal feeds.
    case nothing
    /// The value is wrong, which has already been reported.
    case invalid
    /// Signals whose channels are combined in order; in a mixer, each signal is a strip.
    case sideBySide([Feed])
    /// Signals for a plugin's audio input ports, by the index of the port.
    case ports([(port: Int, feed: Feed)])

    var all: [Feed] {
        switch self {
        case .nothing, .invalid: []
        case .sideBySide(let feeds): feeds
        case .ports(let ports): ports.map(\.feed)
        }
    }
}

/// A reference to a signal, and its position in the file.
struct Feed {
    let reference: SignalReference
    /// The signal; `nil` if the reference is not valid, which has already been reported.
    let source: Pipeline.Source?
    let offset: Int
    /// Whether the signal is aligned with the others that it meets.
    var isAligned = true
}
