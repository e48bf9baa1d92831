/// All names of a file that references may mean.
struct Directory {
    private var entries: [String: Entry] = [:]
    /// Whether every signal and node of the file is here; if not, a name that is not found may be one of the missing.
    var isComplete = true

    /// What a name stands for, by its place.
    enum Entry {
        case input(Int)
        case output(Int)
        case node(Int)

        /// In words.
        var kind: String {
            switch self {
            case .input: "an input"
            case .output: "an output"
            case .node: "a node"
            }
        }
    }

    subscript(name: String) -> Entry? { entries[name] }

    /// Names of what has a signal to give.
    var sourceNames: [String] {
        entries.compactMap { name, entry in
            if case .output = entry { nil } else { name }
        }.sorted()
    }

    /// Names of nodes.
    var nodeNames: [String] {
        entries.compactMap { name, entry in
            if case .node = entry { name } else { nil }
        }.sorted()
    }

    /// Adds a name; what has it already is returned and stays.
    mutating func add(_ name: String, _ entry: Entry) -> Entry? {
        if let taken = entries[name] { return taken }
        entries[name] = entry
        return nil
    }
}
