internal import Processing

extension Pipeline {
    /// Returns the pipeline with the decision about which paths are always off, so that no signal
    /// waits for them: `offInputs` and `isAlwaysBypassed` of each node.
    ///
    /// A strip of a mixer is always off if it is muted, at the lowest gain or excluded by the solo of
    /// another strip, at load and in every scene, and no binding moves that value; and if the dry
    /// signal of the mixer, which contains all strips, is never audible. A node is always
    /// bypassed if its bypass is on in the same way. Values that are changed live by hand do not
    /// count, because the alignment of a song must not change while it plays.
    ///
    /// Call it for a pipeline with the values of its file. `atLoad` and `applying` keep the decision.
    public func decidingAlignment() -> Pipeline {
        let values = FixedValues(of: self)
        var result = self
        for index in nodes.indices { result.decideAlignment(ofNode: index, values) }
        return result
    }

    /// Makes the decision of `decidingAlignment` for one node, after a value of it has changed.
    mutating func decideAlignment(ofNode index: Int) {
        decideAlignment(ofNode: index, FixedValues(of: self))
    }

    private mutating func decideAlignment(ofNode index: Int, _ values: FixedValues) {
        let bypass = Address(node: index, target: .bypass)
        let isAlwaysBypassed = values.areAll(
            at: bypass, file: nodes[index].isBypassed ? 1 : 0
        ) { $0 >= 0.5 }
        let offInputs =
            nodes[index].strips.isEmpty
            ? [] : StripStates(of: nodes[index], index: index, values).offInputs
        // Most nodes keep their state, and need not be copied.
        if nodes[index].isAlwaysBypassed != isAlwaysBypassed {
            nodes[index].isAlwaysBypassed = isAlwaysBypassed
        }
        if nodes[index].offInputs != offInputs { nodes[index].offInputs = offInputs }
    }
}

extension Pipeline.Binding.Action {
    /// The address whose value the action moves; `nil` for other actions.
    fileprivate var movedAddress: Pipeline.Address? {
        switch self {
        case .move(.node(let address), _, _, _, _, _), .cycle(.node(let address), _): address
        default: nil
        }
    }
}

/// The values that addresses can have at load and in scenes.
private struct FixedValues {
    private let inScenes: [Pipeline.Address: [Float]]
    private let bound: Set<Pipeline.Address>
    private let sceneCount: Int
    private let beginsWithScene: Bool

    init(of pipeline: Pipeline) {
        sceneCount = pipeline.scenes.count
        beginsWithScene = pipeline.initialScene != nil
        bound = Set(pipeline.bindings.compactMap(\.action.movedAddress))
        inScenes = pipeline.scenes.reduce(into: [:]) { values, scene in
            let last = Dictionary(scene.changes.map { ($0.address, $0.value) }) { $1 }
            for (address, value) in last { values[address, default: []].append(value) }
        }
    }

    /// Returns whether a condition is true for all values that an address can have; `false` if a
    /// binding moves it.
    ///
    /// The value of the file does not count if a scene is active at load and every scene sets the
    /// address.
    func areAll(
        at address: Pipeline.Address, file: Float, _ condition: (Float) -> Bool
    ) -> Bool {
        guard !bound.contains(address) else { return false }
        let values = inScenes[address] ?? []
        let isReplaced = beginsWithScene && values.count == sceneCount
        return values.allSatisfy(condition) && (isReplaced || condition(file))
    }
}

/// Finds the strips of a mixer that are always off.
private struct StripStates {
    private let node: Pipeline.Node
    private let index: Int
    private let values: FixedValues

    init(of node: Pipeline.Node, index: Int, _ values: FixedValues) {
        self.node = node
        self.index = index
        self.values = values
    }

    /// The inputs of the strips that are always off.
    var offInputs: Set<Int> {
        guard hidesOffStrips else { return [] }
        let solos = node.strips.indices.filter { areAll(of: $0, "solo") { $0 >= 0.5 } }
        var result: Set<Int> = []
        var first = 0
        for (strip, facts) in node.strips.enumerated() {
            if isOff(strip, alwaysSolo: solos) { result.formUnion(first..<first + facts.channels) }
            first += facts.channels
        }
        return result
    }

    /// Whether the dry signal of the mixer, which contains all strips, is never audible.
    private var hidesOffStrips: Bool {
        let isBypassed: Float = node.isBypassed ? 1 : 0
        return values.areAll(at: .init(node: index, target: .bypass), file: isBypassed) { $0 < 0.5 }
            && values.areAll(at: .init(node: index, target: .mix), file: node.mix) { $0 >= 1 }
    }

    private func isOff(_ strip: Int, alwaysSolo solos: [Int]) -> Bool {
        if areAll(of: strip, "mute", { $0 >= 0.5 }) { return true }
        if let gain = parameter("gain", of: strip),
            areAll(of: strip, "gain", { $0 <= node.parameters[gain].range.lowerBound })
        {
            return true
        }
        return solos.contains { $0 != strip } && areAll(of: strip, "solo") { $0 < 0.5 }
    }

    private func areAll(
        of strip: Int, _ name: String, _ condition: (Float) -> Bool
    ) -> Bool {
        guard let index = parameter(name, of: strip) else { return false }
        return values.areAll(
            at: .init(node: self.index, target: .parameter(index)), file: node.values[index],
            condition)
    }

    /// Returns the index of a strip's parameter among the node's; `nil` if the strip lacks it.
    private func parameter(_ name: String, of strip: Int) -> Int? {
        let own = node.description.stripParameters
        guard let inner = own.firstIndex(where: { $0.name == name }) else { return nil }
        let index = node.description.parameters.count + strip * own.count + inner
        return node.parameters.indices.contains(index) && node.values.indices.contains(index)
            ? index : nil
    }
}
