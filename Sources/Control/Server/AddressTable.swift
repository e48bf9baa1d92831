internal import SessionCore

/// The current addresses of the session, by path.
struct AddressTable {
    private var entries: [String: AddressValue] = [:]
    /// The paths of node values, in the order of the session.
    private var nodePaths: [String] = []

    init() {}

    /// Creates a table from a dump.
    init(_ dump: [AddressValue]) {
        for entry in dump {
            let path = OSCAddress.path(of: entry.address)
            if entries.updateValue(entry, forKey: path) == nil,
                OSCAddress.isOfNode(entry.address)
            {
                nodePaths.append(path)
            }
        }
    }

    /// Returns the address of a path.
    ///
    /// `/save/scene` is another path of `save-scene`, unless a node has this address.
    func address(of path: String) -> String {
        if let entry = entries[path] { return entry.address }
        return path == Self.saveScenePath
            ? SessionCommand.saveScene.rawValue : OSCAddress.address(of: path)
    }

    private static let saveScenePath = "/save/scene"

    /// Returns the paths of node values that a pattern matches; wildcards do not match addresses of
    /// the whole session.
    func paths(matching pattern: OSCPattern) -> [String] {
        nodePaths.filter { pattern.matches($0) }
    }

    /// Returns the value that was sent to a path: for a toggle, 0 and 1 mean off and on.
    func fitted(_ value: Value, to path: String) -> Value {
        guard case .number(let number) = value, number == 0 || number == 1 else { return value }
        guard case .toggle? = entries[path]?.value else { return value }
        return .toggle(number == 1)
    }
}
