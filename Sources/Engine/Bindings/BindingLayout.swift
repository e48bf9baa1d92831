internal import CRealtime
internal import Pipelines
internal import Processing

/// Lays out bindings in memory.
struct BindingLayout {
    private let pipeline: Pipeline
    private let ports: EnginePorts
    private let arena: Arena
    private var entries: [BindingEntry] = []
    private var values: [BoundValue] = []
    private var indices: [Pipeline.Address: Int] = [:]
    private var controls: [FeedbackControl] = []
    /// The index of the last binding of each trigger and number.
    private var tails: [Int: Int] = [:]
    private var heads = [Int32](repeating: -1, count: 3 * 128)

    init(_ pipeline: Pipeline, ports: EnginePorts, arena: Arena) {
        self.pipeline = pipeline
        self.ports = ports
        self.arena = arena
    }

    mutating func add(_ binding: Pipeline.Binding) {
        var entry = entry(binding)
        entry.feedback = feedback(of: entry)
        let key = Int(entry.trigger.rawValue) * 128 + Int(entry.number)
        if let last = tails[key] {
            entries[last].next = Int32(entries.count)
        } else {
            heads[key] = Int32(entries.count)
        }
        tails[key] = entries.count
        entries.append(entry)
    }

    func table(sampleRate: Double) -> BindingTable {
        let feedback = FeedbackTable(
            controls: arena.copy(controls), count: controls.count, cursor: arena.allocate(1, 0),
            echoFrames: UInt64(sampleRate * FeedbackTable.echoSeconds))
        let sceneValues = sceneValues
        return BindingTable(
            entries: arena.copy(entries), heads: arena.copy(heads), values: arena.copy(values),
            sceneValues: UnsafePointer(arena.copy(sceneValues)),
            sceneValueCount: sceneValues.count, feedback: feedback)
    }

    private var sceneValues: [BoundSceneValue] {
        pipeline.scenes.enumerated().flatMap { scene, content in
            content.changes.compactMap { change in
                indices[change.address].map {
                    BoundSceneValue(scene: Int32(scene), value: Int32($0), setting: change.value)
                }
            }
        }
    }

    // MARK: One binding

    private mutating func entry(_ binding: Pipeline.Binding) -> BindingEntry {
        let (trigger, number) = Self.trigger(binding.trigger)
        var (effect, isPickup, value) = (BindingEntry.Effect.absolute, false, 0)
        var range = unusedRange
        switch binding.action {
        case .move(let address, let from, let to, let curve, let mode, let takeover):
            effect =
                pipeline.parameter(at: address).isTrigger ? .trigger : Self.effect(mode)
            isPickup = takeover == .pickup
            value = index(of: address)
            range = BoundRange(
                from: from, to: to, curve: curve, of: pipeline.parameter(at: address), arena: arena)
        case .scene(let index): effect = .other(node: BoundChange.scene, target: Int32(index))
        case .song(let index): effect = .other(node: BoundChange.song, target: Int32(index))
        case .perform(let command):
            effect = .other(node: BoundChange.command, target: BoundChange.index(of: command))
        }
        let isFine = binding.isFine && trigger == .controller && number < 32
        return BindingEntry(
            trigger: trigger, number: Int32(number), channel: Int32((binding.channel ?? 0) - 1),
            port: port(binding), bank: trigger == .program ? Int32(binding.bank ?? -1) : -1,
            isFine: isFine, encoding: StepEncoding(binding.encoding), effect: effect,
            isPickup: isPickup, value: Int32(value), range: range)
    }

    private var unusedRange: BoundRange {
        BoundRange(from: 0, to: 1, curve: .linear, of: .toggle("unused"), arena: arena)
    }

    private static func trigger(
        _ trigger: Pipeline.Binding.Trigger
    ) -> (BindingEntry.Trigger, Int) {
        switch trigger {
        case .controller(let number): (.controller, number & 127)
        case .note(let number): (.note, number & 127)
        case .program(let number): (.program, number & 127)
        }
    }

    private static func effect(_ mode: Pipeline.Binding.Mode) -> BindingEntry.Effect {
        switch mode {
        case .absolute: .absolute
        case .toggle: .toggle
        case .momentary: .momentary
        case .relative: .relative
        }
    }

    /// Returns the engine slot of the binding's input.
    private func port(_ binding: Pipeline.Binding) -> Int32 {
        guard let index = binding.port else { return -1 }
        guard pipeline.inputs.indices.contains(index) else { return -2 }
        let name = pipeline.inputs[index].name
        let signal = ports.inputs.first { $0.name == name && $0.kind == .midi }
        return Int32(signal?.slots.first ?? -2)
    }

    private mutating func index(of address: Pipeline.Address) -> Int {
        if let index = indices[address] { return index }
        let target: Int32 =
            switch address.target {
            case .parameter(let index): Int32(index)
            case .mix: Int32(RTTargetMix.rawValue)
            case .bypass: Int32(RTTargetBypass.rawValue)
            }
        values.append(
            BoundValue(
                node: Int32(address.node), target: target,
                isTrigger: pipeline.parameter(at: address).isTrigger))
        indices[address] = values.count - 1
        return values.count - 1
    }

    /// Returns the index of the control that receives the binding's value as feedback; -1 if the
    /// binding has no feedback, or if the control already follows another binding.
    private mutating func feedback(of entry: BindingEntry) -> Int32 {
        let isSwitch: Bool
        switch (entry.trigger, entry.effect) {
        case (.controller, .absolute): isSwitch = false
        case (.controller, .toggle), (.controller, .momentary), (.note, .toggle): isSwitch = true
        default: return -1
        }
        let channel = max(0, entry.channel)
        let isTaken = controls.contains {
            $0.trigger == entry.trigger && $0.number == entry.number && $0.channel == channel
        }
        guard !isTaken else { return -1 }
        controls.append(
            FeedbackControl(
                entry, values[Int(entry.value)], channel: channel, isSwitch: isSwitch))
        return Int32(controls.count - 1)
    }
}
