/// Collects the operations that change all references in a file.
///
/// They apply to the text as it is, in order: first new values, then removals from the end of each
/// list to its beginning, then new keys. Each operation leaves the paths of the later ones valid.
struct ReferencePatch {
    private let changes: [ReferenceChange]
    private var values: [JSONPatch.Operation] = []
    private var removals: [JSONPatch.Operation] = []
    private var keys: [JSONPatch.Operation] = []

    /// Collects the operations for a file.
    init(of root: JSONElement, _ changes: [ReferenceChange]) {
        self.changes = changes
        for list in ["nodes", "before", "after"] {
            for (index, node) in (root[list]?.elements ?? []).enumerated() {
                add(node, at: [list, "\(index)"])
            }
        }
        addSignals(root)
        addScenes(root)
        addBindings(root["midi"]?.elements ?? [])
        addMessages(root["send"], at: ["send"])
        for (index, song) in (root["songs"]?.elements ?? []).enumerated() {
            addMessages(song["send"], at: ["songs", "\(index)", "send"])
        }
    }

    /// The operations, in order.
    var operations: [JSONPatch.Operation] {
        // Longer paths first, so that no key changes above a path that still follows.
        values + removals + keys.sorted { $0.path.tokens.count > $1.path.tokens.count }
    }

    // MARK: Operations

    private mutating func remove(_ path: [String]) {
        let path = JSONPointer(tokens: path)
        guard removals.last?.path != path else { return }
        removals.append(.init(.remove, at: path))
    }

    /// Changes a text; removes `outer`, or the text itself, if the text refers to nothing any more.
    private mutating func change(
        _ element: JSONElement?, at path: [String], removing outer: [String]? = nil,
        _ new: (String) -> NewReference
    ) {
        guard let text = element?.string else { return }
        switch new(text) {
        case .same: break
        case .changed(let text):
            values.append(
                .init(.replace(JSONFragment(.string(text))), at: JSONPointer(tokens: path)))
        case .removed: remove(outer ?? path)
        }
    }

    /// Changes the keys of an object; removes the object if none would be left.
    private mutating func changeKeys(
        of object: JSONElement?, at path: [String], removingEmpty: Bool = true,
        _ new: (String) -> NewReference
    ) {
        let members = object?.members ?? []
        let results = members.map { new($0.key) }
        if removingEmpty, !members.isEmpty, results.allSatisfy({ $0 == .removed }) {
            return remove(path)
        }
        for (member, result) in zip(members, results) {
            switch result {
            case .same: break
            case .changed(let key):
                keys.append(.init(.rename(to: key), at: JSONPointer(tokens: path + [member.key])))
            case .removed: remove(path + [member.key])
            }
        }
    }

    // MARK: Nodes and signals

    private mutating func add(_ node: JSONElement, at path: [String]) {
        let changes = changes
        change(node["id"], at: path + ["id"]) { name in
            // The node itself is not a reference, so it is not removed.
            if case .changed(let new) = changes.node(name) { .changed(new) } else { .same }
        }
        addSources(node["from"], at: path + ["from"])
        for member in node["ports"]?.members ?? [] {
            addSource(member.value, at: path + ["ports", member.key])
        }
        change(node["events"], at: path + ["events"], changes.signal)
        let id = node["id"]?.string ?? ""
        changeKeys(of: node["parameters"], at: path + ["parameters"]) {
            changes.parameter($0, of: id)
        }
    }

    private mutating func addSources(_ from: JSONElement?, at path: [String]) {
        guard let from else { return }
        addSource(from, at: path)
        for (index, entry) in from.elements.enumerated() {
            addSource(entry, at: path + ["\(index)"])
        }
    }

    private mutating func addSource(_ entry: JSONElement, at path: [String]) {
        change(entry, at: path, changes.source)
        change(entry["signal"], at: path + ["signal"], changes.source)
    }

    private mutating func addSignals(_ root: JSONElement) {
        for list in ["inputs", "outputs"] {
            for member in root[list]?.members ?? [] {
                addSources(member.value["from"], at: [list, member.key, "from"])
                change(
                    member.value["songs"], at: [list, member.key, "songs"], changes.source)
            }
            changeKeys(of: root[list], at: [list], removingEmpty: false, changes.signal)
        }
    }

    private mutating func addMessages(_ list: JSONElement?, at path: [String]) {
        for (index, message) in (list?.elements ?? []).enumerated() {
            change(message["port"], at: path + ["\(index)", "port"], changes.signal)
        }
    }

    // MARK: Scenes

    private mutating func addScenes(_ root: JSONElement) {
        let changes = changes
        change(root["scene"], at: ["scene"], changes.scene)
        var isAnyLeft = false
        let members = root["scenes"]?.members ?? []
        for member in members where changes.scene(member.key) != .removed {
            isAnyLeft = true
            addScene(member.value, at: ["scenes", member.key])
        }
        if !members.isEmpty, !isAnyLeft { return remove(["scenes"]) }
        changeKeys(of: root["scenes"], at: ["scenes"], changes.scene)
    }

    private mutating func addScene(_ scene: JSONElement, at path: [String]) {
        let then = scene["then"]
        change(
            then?["scene"], at: path + ["then", "scene"], removing: path + ["then"], changes.scene)
        let isThenLeft = then?["scene"]?.string.map { changes.scene($0) != .removed } ?? true
        let start = "end of "
        if isThenLeft, let at = then?["at"]?.string, at.hasPrefix(start) {
            let changes = changes
            change(then?["at"], at: path + ["then", "at"], removing: path + ["then"]) { text in
                let new = changes.node(String(text.dropFirst(start.count)))
                return if case .changed(let name) = new { .changed(start + name) } else { new }
            }
        }
        addMessages(scene["send"], at: path + ["send"])
        changeKeys(of: scene["over"], at: path + ["over"], changes.address)
        changeKeys(of: scene, at: path, removingEmpty: false, changes.address)
    }

    // MARK: Bindings

    private mutating func addBindings(_ bindings: [JSONElement]) {
        for index in bindings.indices.reversed() {
            add(binding: bindings[index], at: ["midi", "\(index)"])
        }
    }

    private mutating func add(binding: JSONElement, at path: [String]) {
        change(binding["port"], at: path + ["port"], changes.signal)
        change(binding["to"], at: path + ["to"], removing: path, changes.address)
        change(binding["cue"], at: path + ["cue"], removing: path, changes.cue)
        change(binding["scene"], at: path + ["scene"], removing: path, changes.scene)
        change(binding["song"], at: path + ["song"], removing: path, changes.song)
        addList(binding["to"], at: path + ["to"], leaving: 1, removing: path, changes.address)
        addList(binding["cycle"], at: path + ["cycle"], leaving: 2, removing: path, changes.scene)
    }

    /// Changes the entries of a list, texts or objects with an `address`.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - path: Its place.
    ///   - least: The fewest entries that it may have.
    ///   - outer: The place of the value that is removed if fewer would be left.
    ///   - new: Returns the new form of a text.
    private mutating func addList(
        _ list: JSONElement?, at path: [String], leaving least: Int, removing outer: [String],
        _ new: (String) -> NewReference
    ) {
        let entries = list?.elements ?? []
        let removed = entries.count { ($0.string ?? $0["address"]?.string).map(new) == .removed }
        if removed > 0, entries.count - removed < least { return remove(outer) }
        for index in entries.indices.reversed() {
            let place = path + ["\(index)"]
            change(entries[index], at: place, new)
            change(entries[index]["address"], at: place + ["address"], removing: place, new)
        }
    }
}

extension PipelineText {
    /// Returns the patch that changes everything in the text that refers to names.
    ///
    /// - Parameter changes: The changes, which apply together.
    /// - Returns: The patch for this text; empty if nothing refers to the names.
    public func patch(for changes: [ReferenceChange]) -> JSONPatch {
        JSONPatch(ReferencePatch(of: document.root, changes).operations)
    }
}
