extension Pipeline {
    /// The part of a song's pipeline that belongs to the setlist: the outer level.
    ///
    /// The pipeline contains the inputs, nodes and outputs of the song first, then the ones of the
    /// setlist. All songs have the same outer nodes, which continue when another song begins.
    public struct OuterLevel: Sendable, Equatable, Codable {
        /// The index of the first node of the setlist; all nodes from there on are its nodes.
        public var firstNode: Int
        /// The number of nodes that the file of the setlist has in `before`.
        public var beforeCount: Int
        /// The indices of the setlist's inputs.
        public var inputs: Set<Int>
        /// The indices of the setlist's outputs.
        public var outputs: Set<Int>
        /// The path of the setlist.
        public var path: String

        /// Creates an outer level; the parameters have the meaning of the properties.
        public init(
            firstNode: Int, beforeCount: Int, inputs: Set<Int>, outputs: Set<Int>, path: String
        ) {
            self.inputs = inputs
            self.firstNode = firstNode
            self.beforeCount = beforeCount
            self.outputs = outputs
            self.path = path
        }
    }

    /// Whether the outer level has nodes or audio outputs, which must continue through a change of
    /// songs.
    public var hasOuterSound: Bool {
        guard let outer else { return false }
        return nodes.count > outer.firstNode
            || outer.outputs.contains { outputs[$0].kind == .audio }
    }

    /// The number of nodes that are not part of the outer level.
    public var songNodeCount: Int { outer?.firstNode ?? nodes.count }

    /// Returns whether a node, given by its index, belongs to the setlist.
    public func isOuter(node: Int) -> Bool { node >= songNodeCount }

    /// Returns whether an output, given by its index, belongs to the setlist.
    public func isOuter(output: Int) -> Bool { outer?.outputs.contains(output) ?? false }

    /// Returns the path of the setlist if it declares a signal; `nil` otherwise.
    package func path(ofSignal name: String, isInput: Bool) -> String? {
        guard let outer else { return nil }
        let index =
            isInput
            ? inputs.firstIndex { $0.name == name } : outputs.firstIndex { $0.name == name }
        guard let index, (isInput ? outer.inputs : outer.outputs).contains(index) else {
            return nil
        }
        return outer.path
    }

    /// Returns the place of a node in its file.
    ///
    /// - Parameters:
    ///   - node: The index of the node.
    ///   - path: The path of the song's file.
    /// - Returns: The path of the file, the key that contains the node, and its index there.
    package func place(
        ofNode node: Int, inSong path: String
    ) -> (path: String, key: String, index: Int) {
        guard let outer, node >= outer.firstNode else { return (path, "nodes", node) }
        let index = node - outer.firstNode
        return index < outer.beforeCount
            ? (outer.path, "before", index) : (outer.path, "after", index - outer.beforeCount)
    }
}
