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
    private var indices: [Pipeline.Binding.Movable: Int] = [:]
    private var controls: [FeedbackControl] = []
    /// The index of the last binding of each trigger and number.
    private var tails: [Int: Int] = [:]
    private var heads = [Int32](
        repeating: -1, count: BindingEntry.Trigger.allCases.count * 128)
    private let sampleRate: Double
    /// The number of bindings with the same identity so far.
    private var twins: [String: Int] = [:]

    init(_ pipeline: Pipeline, ports: EnginePorts, sampleRate: Double, arena: Arena) {
        self.pipeline = pipeline
        self.ports = ports
        self.sampleRate = sampleRate
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

    func table() -> BindingTable {
        let feedback = FeedbackTable(
            controls: arena.copy(controls), count: controls.count, cursor: arena.allocate(1, 0),
            echoFrames: UInt64(sampleRate * FeedbackTable.echoSeconds))
        let sceneValues = sceneValues
        return BindingTable(
            entries: arena.copy(entries), heads: arena.copy(heads), values: arena.copy(values),
            sceneValues: UnsafePointer(arena.copy(sceneValues)),
            sceneValueCount: sceneValues.count, feedback: feedback,
            hasGestures: entries.contains { $0.press != .short })
    }

    private var sceneValues: [BoundSceneValue] {
        pipeline.scenes.enumerated().flatMap { scene, content in
            content.changes.compactMap { change in
                indices[.node(change.address)].map {
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
        case .move(let moved, let from, let to, let curve, let mode, let takeover):
            let parameter = pipeline.parameter(of: moved)
            effect = parameter.isTrigger ? .trigger : Self.effect(mode)
            isPickup = takeover == .pickup
            value = index(of: moved)
            range = BoundRange(
                from: from, to: to, curve: curve, hasTaper: binding.taper == .audio,
                of: parameter, arena: arena)
        case .cycle(let moved, let values):
            effect = .cycle(ValueCycle(values, wraps: binding.wraps, arena: arena))
            value = index(of: moved)
        case .cue(let cue):
            effect = .cue(
                node: Int32(cue.node), item: Int32(cue.itemParameter),
                start: Int32(cue.startParameter), number: Float(cue.item))
        case .scene(let index): effect = .other(node: BoundChange.scene, target: Int32(index))
        case .song(let index): effect = .other(node: BoundChange.song, target: Int32(index))
        case .cycleScenes: effect = .other(node: BoundChange.step, target: Int32(entries.count))
        case .perform where binding.wraps:
            effect = .other(node: BoundChange.step, target: Int32(entries.count))
        case .perform(let command):
            effect = .other(node: BoundChange.command, target: BoundChange.index(of: command))
        }
        let isFine = binding.isFine && trigger == .controller && number < 32
        return BindingEntry(
            trigger: trigger, number: Int32(number), channel: Int32((binding.channel ?? 0) - 1),
            port: port(binding), bank: trigger == .program ? Int32(binding.bank ?? -1) : -1,
            isFine: isFine, encoding: StepEncoding(binding.encoding), effect: effect,
            isPickup: isPickup, press: press(binding), pressFrames: pressFrames(binding),
            guardFrames: frames(binding.guardSeconds), identity: identity(of: binding),
            binding: Int32(entries.count), value: Int32(value), range: range)
    }

    // MARK: Presses

    private func press(_ binding: Pipeline.Binding) -> BindingEntry.Press {
        switch binding.press {
        case .short: .short
        case .long: .long
        case .double: .double
        }
    }

    private func pressFrames(_ binding: Pipeline.Binding) -> UInt64 {
        switch binding.press {
        case .short: 0
        case .long(let seconds), .double(let seconds): max(1, frames(seconds))
        }
    }

    /// Returns a time in frames; a guard or a press lasts at most a minute.
    private func frames(_ seconds: Double) -> UInt64 {
        UInt64(max(0, min(seconds, 60)) * max(0, min(sampleRate, 1e6)) + 0.5)
    }

    /// Returns a number for the binding that a binding with the same trigger and action has in
    /// another song or in an edited file, too.
    private mutating func identity(of binding: Pipeline.Binding) -> UInt64 {
        let inputs = pipeline.inputs
        let port = binding.port.map { inputs.indices.contains($0) ? inputs[$0].name : "-" }
        let text =
            "\(binding.trigger) \(binding.channel ?? 0) \(port ?? "*") \(binding.bank ?? -1) "
            + "\(binding.press) \(text(of: binding.action))"
        let count = twins[text, default: 0]
        twins[text] = count + 1
        return BindingStates.identity(of: "\(text) \(count)")
    }

    private func text(of action: Pipeline.Binding.Action) -> String {
        switch action {
        case .move(let moved, _, _, _, let mode, _): "\(mode) \(pipeline.text(of: moved))"
        case .cycle(let moved, let values): "\(values) \(pipeline.text(of: moved))"
        case .scene(let index): "scene \(name(ofScene: index))"
        case .cycleScenes(let scenes): "scenes \(scenes.map(name(ofScene:)))"
        case .song(let index): "song \(index)"
        case .cue(let cue): "cue \(pipeline.nodes[cue.node].id) \(cue.item)"
        case .perform(let command): command.rawValue
        }
    }

    private func name(ofScene index: Int) -> String {
        pipeline.scenes.indices.contains(index) ? pipeline.scenes[index].name : "\(index)"
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
        case .bend: (.bend, 0)
        case .channelPressure: (.channelPressure, 0)
        case .keyPressure(let number): (.keyPressure, number & 127)
        case .key(let key): (.key, key.number & 127)
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

    private mutating func index(of moved: Pipeline.Binding.Movable) -> Int {
        if let index = indices[moved] { return index }
        let (node, target): (Int32, Int32) =
            switch moved {
            case .node(let address): (Int32(address.node), address.target.eventTarget)
            case .master(let value): (BoundChange.master, MasterTarget(value).rawValue)
            }
        values.append(
            BoundValue(
                node: node, target: target,
                isTrigger: pipeline.parameter(of: moved).isTrigger))
        indices[moved] = values.count - 1
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
