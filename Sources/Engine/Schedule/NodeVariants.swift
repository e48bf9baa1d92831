public import Pipelines
public import Processing
internal import Synchronization

/// The prepared nodes that the scenes of a song need, and the cheaper variants for a machine that is
/// too slow: nodes with other settings than those that run.
///
/// All schedules of the song that replace one another share them. Callable from any thread except
/// the audio thread.
public final class NodeVariants: Sendable {
    /// A variant that could not be prepared.
    public struct Failure: Sendable, Equatable {
        /// The id of the node.
        public var node: String
        /// The settings of the variant.
        public var settings: [String: SettingValue]
        /// The reason.
        public var error: PreparationError
    }

    private struct Spare: @unchecked Sendable {
        // SAFETY: no other object uses the instance until `pop` removes it.
        let node: Pipeline.Node
        let instance: NodeInstance
    }

    private struct State {
        var spares: [Spare] = []
        var failures: [Failure] = []
    }

    private let state = Mutex(State())

    /// The variants that could not be prepared.
    public var failures: [Failure] { state.withLock { $0.failures } }

    /// The number of prepared variants.
    public var count: Int { state.withLock { $0.spares.count } }

    /// Returns whether the preparation of a node with its settings has failed.
    public func hasFailed(_ node: Pipeline.Node) -> Bool {
        state.withLock { $0.failures.contains { $0.isFor(node) } }
    }

    /// Returns whether a node is prepared with its settings.
    public func isPrepared(_ node: Pipeline.Node) -> Bool {
        state.withLock { $0.spares.contains { $0.node.isVariant(node) } }
    }

    /// Removes and returns the prepared instance of a node, and the node as it was prepared, with
    /// its present sources; `nil` if the node has none.
    func pop(_ node: Pipeline.Node) -> (instance: NodeInstance, preparedFor: Pipeline.Node)? {
        state.withLock { state in
            state.spares.firstIndex { $0.node.isVariant(node) }
                .map { state.spares.remove(at: $0) }
        }.map { ($0.instance, $0.node.connected(as: node)) }
    }

    /// Prepares all variants that the scenes and reductions of a pipeline can lead to, and frees the
    /// others; not on the audio thread.
    ///
    /// It loads plugins and reads files.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline with its present settings and values.
    ///   - catalogue: The catalogue that the pipeline was checked with.
    ///   - format: The sample rate, and the maximum number of frames per cycle.
    ///   - requested: Further nodes to prepare.
    /// - Throws: `PreparationError` if there is too little memory. Other errors become `failures`.
    public func prepare(
        for pipeline: Pipeline, catalogue: Catalogue, format: AudioFormat,
        requested: [Pipeline.Node] = []
    ) throws(PreparationError) {
        let reachable = pipeline.variantNodes
        let wanted =
            reachable
            + requested.filter { node in !reachable.contains { $0.isVariant(node) } }
        let missing = state.withLock { state in
            state.spares.removeAll { spare in !wanted.contains { spare.node.isVariant($0) } }
            state.failures.removeAll { failure in !wanted.contains { failure.isFor($0) } }
            return wanted.filter { node in
                !state.spares.contains { $0.node.isVariant(node) }
                    && !state.failures.contains { $0.isFor(node) }
            }
        }
        guard !missing.isEmpty else { return }
        try MemoryNeed(
            variants: missing, of: pipeline, catalogue: catalogue, format: format
        ).check(
            against: catalogue.memory,
            subject: pipeline.hasReducibleNodes
                ? "the settings of its scenes and of \"when-late\" need"
                : "the settings of its scenes need")
        for node in missing {
            do throws(PreparationError) {
                let prepared = try PreparedNode(
                    node, catalogue: catalogue, format: format, tempo: pipeline.tempo)
                let spare = Spare(
                    node: node, instance: NodeInstance(prepared, node, format: format))
                state.withLock { $0.spares.append(spare) }
            } catch {
                let failure = Failure(
                    node: node.id, settings: node.playedSettings, error: error)
                state.withLock { $0.failures.append(failure) }
            }
        }
    }

    /// Forgets the failures, so that the next preparation tries again.
    public func forgetFailures() { state.withLock { $0.failures = [] } }
}

extension NodeVariants.Failure {
    fileprivate func isFor(_ other: Pipeline.Node) -> Bool {
        node == other.id && settings == other.playedSettings
    }
}

extension Pipeline {
    /// The nodes with the settings that scenes and reductions can give them, in addition to their
    /// present ones.
    var variantNodes: [Node] {
        let reachable = reachableSettings
        return nodes.indices.flatMap { index in
            nodes[index].variants(withSettings: reachable[index] ?? [])
        }
    }
}

extension Pipeline.Node {
    /// Returns the variants of the node that do not run now.
    ///
    /// A node that is paused does not continue when it is restored, because its state is old, so it
    /// needs a new instance with its present settings. To pause a node needs no other instance.
    ///
    /// - Parameter reachable: The settings that scenes can give the node, without the present ones.
    /// - Returns: The variants, each once.
    fileprivate func variants(withSettings reachable: [[String: SettingValue]]) -> [Self] {
        guard !isStandIn else { return [] }
        var variants: [Self] = []
        func add(_ settings: [String: SettingValue], isReduced: Bool) {
            var node = self
            (node.settings, node.isReduced) = (settings, isReduced)
            let continues =
                playedSettings == node.playedSettings && (!isPaused || node.isPaused)
            guard !continues, !variants.contains(where: { $0.isVariant(node) }) else { return }
            variants.append(node)
        }
        for settings in [settings] + reachable {
            add(settings, isReduced: false)
            if whenLate?.isBypass == false { add(settings, isReduced: true) }
        }
        return variants
    }

    /// Returns whether a prepared instance of this node can play another node, with the same
    /// settings and perhaps other values.
    fileprivate func isVariant(_ other: Pipeline.Node) -> Bool {
        playedSettings == other.playedSettings && hasSameShape(as: other)
    }

    /// Returns the node with the sources of another node of the same shape.
    ///
    /// An edit can have changed the indices of the sources since the node was prepared.
    fileprivate func connected(as other: Self) -> Self {
        var node = self
        (node.instances, node.events) = (other.instances, other.events)
        return node
    }
}
