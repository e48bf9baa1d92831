internal import Processing

/// A node while it is checked: what is known of it, and nil for what its faults hide.
struct NodeDraft {
    let element: JSONElement
    /// As written; empty where there is none.
    let id: String
    let type: Pipeline.NodeType?
    let description: TypeDescription?
    /// What feeds it; told apart by `ReferenceCheck`.
    var feeds: Feeds = .faulty
    /// For a mixer: its strips by name; nil where they are not known.
    var stripIndex: [String: Int]?
    var instances: [[Pipeline.Tap?]] = []
    var strips: [Pipeline.Strip] = []
    /// Nil where a fault hides it.
    var outputChannels: Int?
    /// The setting `channels` of a mixer or a source, if it is there.
    var channelsSetting: Int?
    /// What its settings lead to; nil where a fault hides it.
    var facts: SettingFacts?

    /// Where a fault of what feeds the node is told.
    var feedOffset: Int { (element["from"] ?? element["ports"] ?? element).start }
}

/// What feeds a node or an output, by the names that the file gives.
enum Feeds {
    /// Nothing is fed: a source.
    case nothing
    /// What is wrong was told.
    case faulty
    /// Signals side by side; for a mixer each is a strip.
    case sideBySide([Feed])
    /// By the place of the plugin's audio input port.
    case ports([(port: Int, feed: Feed)])

    var all: [Feed] {
        switch self {
        case .nothing, .faulty: []
        case .sideBySide(let feeds): feeds
        case .ports(let ports): ports.map(\.feed)
        }
    }
}

/// A signal by name, and where the name stands.
struct Feed {
    let reference: SignalReference
    /// Nil where the name means nothing; that was told.
    let source: Pipeline.Source?
    let offset: Int
}
