internal import Pipelines

/// The facts about the current song on which a permit depends.
struct SongScope: Equatable {
    /// The mixers of the song, and those directly before each output, by name.
    private var mixersByName: [String: Set<String>] = [:]
    /// The computer keys whose bindings edit a file.
    private(set) var editingKeys: Set<String> = []

    /// Creates the scope before the first description.
    init() {}

    /// Creates the scope of a song.
    init(_ pipeline: Pipeline) {
        let mixers = Set(pipeline.nodes.filter { !$0.strips.isEmpty }.map(\.id))
        for output in pipeline.outputs {
            mixersByName[output.name] = Set(
                output.taps.compactMap { tap in
                    guard case .node(let index)? = tap?.source else { return nil }
                    return pipeline.nodes[index].id
                }
            ).intersection(mixers)
        }
        // The name of a node wins over that of an output; both are different in each song.
        for mixer in mixers { mixersByName[mixer] = [mixer] }
        editingKeys = Set(
            pipeline.bindings.compactMap { binding in
                guard case .key(let key) = binding.trigger, binding.action.editsFile else {
                    return nil
                }
                return key.name
            })
    }

    /// Returns the ids of the mixers that a limit names; empty if the song has none.
    func mixers(of limit: String) -> Set<String> { mixersByName[limit] ?? [] }
}

extension Pipeline.Binding.Action {
    fileprivate var editsFile: Bool {
        switch self {
        case .perform(.save), .perform(.saveScene), .perform(.undo), .perform(.redo): true
        default: false
        }
    }
}
