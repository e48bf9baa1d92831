package import Pipelines
internal import Processing

/// The current values of the active pipeline: the values that the engine has or is moving to.
package struct LiveValues {
    /// The pipeline of the active schedule.
    package private(set) var pipeline: Pipeline
    private var values: ParameterValues
    /// The current values of addresses that fade; their targets are in `values`.
    private var fading: [Pipeline.Address: Float] = [:]

    /// Creates the values that the pipeline of a new schedule starts with.
    package init(atStartOf pipeline: Pipeline) {
        self.pipeline = pipeline
        values = ParameterValues(atStartOf: pipeline)
    }

    /// Creates the values that another song starts with; the outer nodes keep their values.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline of the song.
    ///   - former: The values of the song before it.
    package init(atStartOf pipeline: Pipeline, keepingOuterValuesOf former: LiveValues) {
        self.init(atStartOf: pipeline)
        guard pipeline.hasOuterSound, former.pipeline.hasOuterSound else { return }
        let counterparts = former.counterparts(of: pipeline)
        for address in pipeline.addresses where pipeline.isOuter(node: address.node) {
            guard let old = former.address(for: address, counterparts) else { continue }
            values[address] = former.values[old]
        }
    }

    /// A copy of all values, to compare with later values.
    package var snapshot: ParameterValues { values }

    /// The pipeline with the current values instead of the file's values, and without an initial
    /// scene.
    package var pipelineWithValues: Pipeline { pipeline.starting(with: values) }

    /// Returns whether the active pipeline has an address.
    package func has(_ address: Pipeline.Address) -> Bool { values.has(address) }

    package subscript(address: Pipeline.Address) -> Float {
        get { values[address] }
        set {
            values[address] = newValue
            fading[address] = nil
        }
    }

    // MARK: Fades

    /// Stores the target of a fade that starts; until it ends, `entry` returns the current value.
    package mutating func beginFade(of address: Pipeline.Address, to target: Float) {
        let current = fading[address] ?? values[address]
        values[address] = target
        fading[address] = current == target ? nil : current
    }

    /// Stores the current value of a fade.
    ///
    /// - Parameters:
    ///   - address: The address that fades.
    ///   - value: Its current value.
    ///   - goal: The target of the fade. If it differs from the stored value, another change has
    ///     overtaken the fade.
    ///   - isOver: Whether the fade has ended.
    /// - Returns: Whether the reported value has changed.
    package mutating func followFade(
        of address: Pipeline.Address, at value: Float, to goal: Float, isOver: Bool
    ) -> Bool {
        guard values[address] == goal else { return false }
        let former = fading[address]
        fading[address] = isOver ? nil : value
        return former != fading[address]
    }

    /// Forgets the current values of all fades, because other nodes may play.
    package mutating func forgetFades() { fading = [:] }

    // MARK: Values

    /// Returns an address and its value in the form that other programs see.
    package func entry(at address: Pipeline.Address) -> AddressValue {
        AddressValue(
            pipeline.text(of: address),
            pipeline.value(fading[address] ?? values[address], at: address))
    }

    /// All values, in the order of the pipeline.
    package var entries: [AddressValue] { pipeline.addresses.map(entry) }

    /// Returns the address in the active pipeline that corresponds to an address of another
    /// pipeline; `nil` if the active pipeline has no such node or parameter.
    package func address(for address: Pipeline.Address, of other: Pipeline) -> Pipeline.Address? {
        other.counterpart(of: address, in: pipeline).flatMap { has($0) ? $0 : nil }
    }

    /// Returns the addresses of the active pipeline that correspond to those of another pipeline.
    func counterparts(of other: Pipeline) -> Counterparts {
        Counterparts(of: other, in: pipeline)
    }

    /// Returns the address in the active pipeline that corresponds to an address of another
    /// pipeline, which is faster than `address(for:of:)` for many addresses.
    func address(
        for address: Pipeline.Address, _ counterparts: Counterparts
    ) -> Pipeline.Address? {
        counterparts.address(for: address).flatMap { has($0) ? $0 : nil }
    }

    /// Returns the changes from the current values to other values of the same pipeline.
    package func changes(to wanted: ParameterValues) -> [Pipeline.Change] {
        pipeline.nodes.indices.filter { !values.hasSameValues($0, as: wanted, $0) }
            .flatMap(pipeline.addresses(ofNode:)).filter { values[$0] != wanted[$0] }
            .map { Pipeline.Change(address: $0, value: wanted[$0]) }
    }

    /// Returns the values of an edited pipeline: new values if the edit changed them, and otherwise
    /// the current values.
    ///
    /// - Parameters:
    ///   - old: The pipeline in the file before the edit.
    ///   - new: The pipeline in the edited file.
    ///   - kept: The texts of addresses that keep their current values although the edit changed
    ///     them.
    /// - Returns: The values that the edited pipeline should have.
    package func merged(
        editing old: Pipeline, into new: Pipeline, keeping kept: Set<String> = []
    ) -> ParameterValues {
        var merged = ParameterValues(atStartOf: new)
        let before = ParameterValues(atStartOf: old)
        let sceneAddresses = Set(new.editedScene(since: old)?.changes.map(\.address) ?? [])
        let (inOld, inActive) = (Counterparts(of: new, in: old), counterparts(of: new))
        for node in new.nodes.indices {
            let (former, live) = (inOld.node(for: node), inActive.node(for: node))
            if sceneAddresses.isEmpty, let former, let live, live < values.count,
                before.hasSameValues(former, as: merged, node),
                new.nodes[node].parameters == old.nodes[former].parameters,
                new.nodes[node].parameters == pipeline.nodes[live].parameters
            {
                // The edit has not changed the node.
                merged.adopt(node, from: values, live)
                continue
            }
            for address in new.addresses(ofNode: node) where !sceneAddresses.contains(address) {
                guard let former = inOld.address(for: address),
                    before[former] == merged[address]
                        || !kept.isEmpty && kept.contains(new.text(of: address)),
                    let live = self.address(for: address, inActive)
                else { continue }
                merged[address] = values[live]
            }
        }
        return merged
    }

    /// Continues with an edited pipeline; remaining nodes keep their current values.
    ///
    /// - Parameters:
    ///   - newPipeline: The pipeline of the schedule that is active now.
    ///   - request: The values when the edit was requested; `nil` if they are not known.
    /// - Returns: The changes to send: first the changes of the edit, then the changes that were
    ///   made while it was prepared.
    package mutating func follow(
        _ newPipeline: Pipeline, valuesAtRequest request: ParameterValues?
    ) -> [Pipeline.Change] {
        let wanted = ParameterValues(atStartOf: newPipeline)
        var actual = wanted
        var movedSince: [Pipeline.Change] = []
        let counterparts = counterparts(of: newPipeline)
        for address in newPipeline.addresses {
            guard let former = self.address(for: address, counterparts) else { continue }
            actual[address] = values[former]
            if let request, request.has(former), request[former] != values[former] {
                movedSince.append(.init(address: address, value: values[former]))
            }
        }
        pipeline = newPipeline
        values = actual
        fading = [:]
        return changes(to: wanted) + movedSince
    }

    /// Continues with a pipeline that differs only in settings; the values remain.
    package mutating func followSettings(of newPipeline: Pipeline) { pipeline = newPipeline }

    /// Continues with a pipeline whose processors are all new.
    ///
    /// - Parameters:
    ///   - newPipeline: The pipeline of the schedule that is active now.
    ///   - request: The values at the time of the request.
    /// - Returns: The changes to send: the changes that were made while the schedule was prepared.
    package mutating func restart(
        with newPipeline: Pipeline, valuesAtRequest request: ParameterValues
    ) -> [Pipeline.Change] {
        var wanted = ParameterValues(atStartOf: newPipeline)
        let counterparts = counterparts(of: newPipeline)
        for address in newPipeline.addresses {
            guard let former = self.address(for: address, counterparts),
                request[former] != values[former]
            else { continue }
            wanted[address] = values[former]
        }
        self = LiveValues(atStartOf: newPipeline)
        return changes(to: wanted)
    }
}

extension Pipeline {
    /// The addresses of all values.
    package var addresses: [Address] { nodes.indices.flatMap(addresses(ofNode:)) }

    /// Returns the addresses of the values of a node.
    func addresses(ofNode node: Int) -> [Address] {
        nodes[node].parameters.indices.map { Address(node: node, target: .parameter($0)) }
            + [Address(node: node, target: .bypass), Address(node: node, target: .mix)]
    }

    /// Returns the pipeline with other initial values, and without an initial scene.
    package func starting(with values: ParameterValues) -> Pipeline {
        var result = values.applied(to: self)
        result.initialScene = nil
        return result
    }

    /// Returns a value of an address in the form that other programs see.
    package func value(_ value: Float, at address: Address) -> Value {
        let parameter = parameter(at: address)
        switch parameter.kind {
        case .toggle: return .toggle(value >= 0.5)
        case .choice(let choices):
            return choices.first { $0.value == value }.map { .text($0.name) }
                ?? .number(value.shortest)
        case .continuous, .integer: return .number(value.shortest)
        }
    }

    /// Returns the initial scene if an edit changed it; `nil` otherwise.
    package func editedScene(since old: Pipeline) -> Scene? {
        guard let scene = initialScene.map({ scenes[$0] }),
            scene.name != old.initialScene.map({ old.scenes[$0].name })
        else { return nil }
        return scene
    }

    /// Returns whether a schedule of another pipeline can play this one if only values are changed.
    package func differsOnlyInValues(from other: Pipeline) -> Bool {
        guard
            nodes.count == other.nodes.count,
            nodes.indices.allSatisfy({
                nodes[$0] == other.nodes[$0]
                    || nodes[$0].differsOnlyInValues(from: other.nodes[$0])
            })
        else { return false }
        var (one, two) = (self, other)
        (one.nodes, two.nodes) = ([], [])
        (one.name, one.summary, one.initialScene, one.tempo) = (
            two.name, two.summary, two.initialScene, two.tempo
        )
        return one == two
    }
}

extension Pipeline.Node {
    fileprivate func differsOnlyInValues(from other: Self) -> Bool {
        var one = self
        (one.values, one.isBypassed, one.mix) = (other.values, other.isBypassed, other.mix)
        return one == other
    }
}

extension Float {
    /// The number with the fewest digits that identify this `Float`: 0.35, not 0.3499999940395355.
    package var shortest: Double { Double(description) ?? Double(self) }
}
