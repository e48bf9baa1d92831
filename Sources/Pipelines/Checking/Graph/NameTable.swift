/// All names in a file that references can use.
struct NameTable {
    private var entries: [String: Entry] = [:]
    /// Whether the table contains every signal and node of the file.
    ///
    /// If it does not, an unknown name can belong to a missing one.
    var isComplete = true

    /// The signal or node with a name, by its index.
    enum Entry {
        case input(Int)
        case output(Int)
        case node(Int)

        /// The kind of the entry as text for messages.
        var kind: String {
            switch self {
            case .input: "an input"
            case .output: "an output"
            case .node: "a node"
            }
        }
    }

    subscript(name: String) -> Entry? { entries[name] }

    /// The names of everything that delivers a signal: inputs and nodes.
    var sourceNames: [String] {
        entries.compactMap { name, entry in
            if case .output = entry { nil } else { name }
        }.sorted()
    }

    /// The names of the nodes.
    var nodeNames: [String] {
        entries.compactMap { name, entry in
            if case .node = entry { name } else { nil }
        }.sorted()
    }

    /// Lets a name refer to another entry.
    mutating func replace(_ name: String, with entry: Entry) { entries[name] = entry }

    /// Adds a name; if the name is in use, keeps the existing entry and returns it.
    mutating func add(_ name: String, _ entry: Entry) -> Entry? {
        if let taken = entries[name] { return taken }
        entries[name] = entry
        return nil
    }
}
