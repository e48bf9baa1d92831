/// Finds items of players, such as `fx:2`.
struct PlayerItemCheck {
    let context: CheckContext
    let nodes: [Pipeline.Node]

    /// A player and the number of an item, from 1.
    private struct Name {
        let node: String
        let item: Int

        /// Parses a text such as `fx:2`; without a number, the item is the first one.
        init?(_ text: String) {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2, let node = parts.first, !node.isEmpty else { return nil }
            self.node = String(node)
            if parts.count == 1 {
                item = 1
            } else if let number = Int(parts[1]), (1...10_000).contains(number) {
                item = number
            } else {
                return nil
            }
        }
    }

    /// Returns the cue that a text names; `nil` if the nodes have no such cue.
    func find(_ text: String) -> Pipeline.Binding.Cue? {
        guard let name = Name(text), let index = nodes.firstIndex(where: { $0.id == name.node }),
            let cue = nodes[index].cue(item: name.item, node: index),
            name.item <= nodes[index].itemCount ?? .max
        else { return nil }
        return cue
    }

    /// Finds the cue that a text names, and reports the reason if there is no such cue.
    ///
    /// - Parameters:
    ///   - text: The player and the number of the item.
    ///   - element: The place of the text.
    ///   - isHidden: Whether a node of this name exists but has errors.
    /// - Returns: The cue; `nil` if there is no such cue.
    func cue(
        _ text: String, _ element: JSONElement, isHidden: (String) -> Bool
    ) -> Pipeline.Binding.Cue? {
        if let cue = find(text) { return cue }
        guard let name = Name(text) else {
            report("a cue has the form \"player:2\", with the number of an item", element)
            return nil
        }
        guard let node = nodes.first(where: { $0.id == name.node }) else {
            if !isHidden(name.node) { report("there is no node \(Quoted(name.node))", element) }
            return nil
        }
        if let count = node.itemCount, node.cue(item: 1, node: 0) != nil {
            let items = count == 1 ? "1 item" : "\(count) items"
            report("\(Quoted(name.node)) has only \(items)", element)
        } else if !node.isStandIn {
            report("\(Quoted(name.node)) is not a player", element, suggestion: players.first)
        }
        return nil
    }

    private var players: [String] {
        nodes.filter { $0.cue(item: 1, node: 0) != nil }.map(\.id)
    }

    private func report(_ reason: String, _ element: JSONElement, suggestion: String? = nil) {
        let text = element.string ?? ""
        let players = players
        context.errors.report(
            .reference, at: element.start, "the cue \(Quoted(text)) is not valid: \(reason)",
            suggestion: suggestion ?? context.errors.suggestion(for: text, among: players))
    }
}
