internal import Show

/// What the show's addresses are at the moment, by their paths.
struct AddressTable {
    private var entries: [String: Answer.Entry] = [:]
    /// The paths of nodes, in the show's order.
    private var nodePaths: [String] = []

    init() {}

    /// The addresses of a dump.
    init(_ dump: [Answer.Entry]) {
        for entry in dump {
            let path = OSCAddress.path(of: entry.address)
            if entries.updateValue(entry, forKey: path) == nil,
                OSCAddress.isOfNode(entry.address)
            {
                nodePaths.append(path)
            }
        }
    }

    /// The address that a path means.
    func address(of path: String) -> String {
        entries[path]?.address ?? OSCAddress.address(of: path)
    }

    /// The paths of nodes that a pattern matches; the words of the night are only meant by their names.
    func paths(matching pattern: OSCPattern) -> [String] {
        nodePaths.filter { pattern.matches($0) }
    }

    /// A value that came for a path: for what is on or off, 0 and 1 mean that.
    func fitted(_ value: Value, to path: String) -> Value {
        guard case .number(let number) = value, number == 0 || number == 1 else { return value }
        guard case .toggle? = entries[path]?.value else { return value }
        return .toggle(number == 1)
    }
}
