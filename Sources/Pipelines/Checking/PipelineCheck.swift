internal import Processing

/// Creates a pipeline from a document, and reports all errors.
struct PipelineCheck {
    let context: CheckContext
    private var root: JSONElement { context.document.root }

    init(context: CheckContext) { self.context = context }

    /// Returns the pipeline, which is usable only if no error was reported.
    func check() -> Pipeline? {
        context.structure.check(root, is: .object(PipelineKeys.pipeline), name: "a pipeline")
        guard case .object = root.content else { return nil }
        let signals = SignalCheck(context: context)
        var inputs = signals.drafts(of: "inputs", standard: "in")
        let outputs = signals.drafts(of: "outputs", standard: "out")
        let nodes = NodeCheck(context: context).drafts()
        var nameTable = NameCheck(context: context)
            .nameTable(inputs: inputs, outputs: outputs, nodes: nodes)
        addControlInput(to: &inputs, &nameTable)
        let references = ReferenceCheck(
            context: context, nameTable: nameTable, inputs: inputs ?? [])
        return connect(references, outputs ?? [], nodes)
    }

    /// Adds a MIDI input to a file that has bindings but no MIDI input.
    private func addControlInput(to inputs: inout [SignalDraft]?, _ nameTable: inout NameTable) {
        // A key of the computer needs no input.
        let hasBindings = root["midi"]?.elements.contains { $0["key"] == nil } ?? false
        guard hasBindings, let all = inputs, !all.contains(where: { $0.kind == .midi }) else {
            return
        }
        let names = ["control"] + (2...99).map { "control-\($0)" }
        guard let name = names.first(where: { nameTable[$0] == nil }) else { return }
        _ = nameTable.add(name, .input(all.count))
        var control = SignalDraft.standard(name, offset: root.start)
        control.kind = .midi
        control.channels = 0
        inputs = all + [control]
    }

    // MARK: Signal flow

    private func connect(
        _ references: ReferenceCheck, _ outputs: [SignalDraft], _ found: [NodeDraft]?
    ) -> Pipeline? {
        var nodes = found ?? []
        let check = SettingsCheck(context: context)
        let settings = nodes.map(check.settings)
        let standIns = StandInCheck(context: context)
        for index in nodes.indices {
            standIns.mark(&nodes[index])
            nodes[index].feeds = references.feeds(ofNode: index, in: nodes)
            if case .number(let count)? = settings[index]["channels"] {
                nodes[index].channelsSetting = Int(exactly: count)
            }
            nodes[index].facts = check.facts(of: nodes[index], settings[index])
            // The settings may name a file that does not exist.
            standIns.mark(&nodes[index])
        }
        if nodes.contains(where: \.isStandIn) {
            let outputs = OutputCheck(context: context, references: references, nodes: nodes)
                .feedsAndChannels(of: outputs)
            standIns.findReceivers(of: &nodes, outputs)
        }
        var loops = LoopCheck(context: context, nodes: nodes)
        loops.check()
        var channels = ChannelCheck(context: context, inputs: references.inputs)
        channels.check(&nodes)
        let outputCheck = OutputCheck(context: context, references: references, nodes: nodes)
        let taps = found == nil ? [] : outputs.map { outputCheck.taps(of: $0, channels.widths) }
        let addresses = AddressCheck(
            context: context, nameTable: references.nameTable, nodes: nodes)
        let made = makeNodes(nodes, settings, addresses, references)
        let events = EventCheck(references: references, nodes: nodes).sources(of: outputs)
        var madeOutputs = zip(outputs, taps).map { makeOutput($0, taps: $1?.taps ?? []) }
        for index in madeOutputs.indices {
            madeOutputs[index].events = events[index]
            madeOutputs[index].unalignedChannels = taps[index]?.unaligned ?? []
        }
        return assemble(references, madeOutputs, made, addresses, settings)
    }

    private func makeNodes(
        _ nodes: [NodeDraft], _ settings: [[String: SettingValue]], _ addresses: AddressCheck,
        _ references: ReferenceCheck
    ) -> [Pipeline.Node] {
        let values = NodeValueCheck(context: context)
        return nodes.indices.compactMap { index in
            let node = nodes[index]
            if node.isStandIn { return standIn(node, settings[index], addresses.parameters[index]) }
            let events = references.events(of: node)
            guard let parameters = addresses.parameters[index], let type = node.type else {
                return nil
            }
            let fields = context.fields(of: node.element)
            var made = Pipeline.Node(
                id: node.id, type: type, description: parameters.type.description,
                instances: node.instances, outputChannels: node.outputChannels ?? 0,
                strips: node.strips, parameters: parameters.descriptions(strips: node.strips),
                values: values.parameterValues(of: node, parameters), settings: settings[index],
                isBypassed: fields.toggle("bypass").value ?? false,
                mix: Float(fields.number("mix").value ?? 1),
                isolation: values.isolation(of: node), events: events,
                durationSeconds: node.facts?.durationSeconds, sandbox: values.sandbox(of: node))
            made.unalignedInputs = node.unalignedInputs
            return made
        }
    }

    /// Creates a node that passes its input through.
    ///
    /// If its type is known, it has the type's parameters, so that their addresses remain valid.
    private func standIn(
        _ node: NodeDraft, _ settings: [String: SettingValue], _ parameters: NodeParameters?
    ) -> Pipeline.Node {
        let values = NodeValueCheck(context: context)
        let fields = context.fields(of: node.element)
        let name = node.element["type"]?.string ?? ""
        var description =
            parameters?.type.description ?? NodeDescription(name: name, label: name, summary: "")
        // The channels are those of the input, and nothing measures or reads events.
        description.channels = .sameAsInputs
        description.reports = []
        (description.receivesEvents, description.sendsEvents) = (false, false)
        var made = Pipeline.Node(
            id: node.id, type: node.type ?? .effect(name),
            description: description, instances: node.instances,
            outputChannels: node.outputChannels ?? 0, strips: [],
            parameters: parameters?.type.parameters ?? [],
            values: parameters.map { values.parameterValues(of: node, $0) } ?? [],
            settings: settings, isBypassed: fields.toggle("bypass").value ?? false,
            mix: Float(fields.number("mix").value ?? 1), isolation: .none, events: nil,
            sandbox: values.sandbox(of: node), isStandIn: true)
        made.unalignedInputs = node.unalignedInputs
        return made
    }

    private func makeOutput(_ draft: SignalDraft, taps: [Pipeline.Tap]) -> Pipeline.Output {
        Pipeline.Output(
            name: draft.name, channels: draft.channels ?? 0, kind: draft.kind, taps: taps,
            hasLimiter: draft.hasLimiter, connect: draft.connect, hasClock: draft.hasClock)
    }

    private func makeInput(_ draft: SignalDraft) -> Pipeline.Input {
        Pipeline.Input(
            name: draft.name, channels: draft.channels ?? 0, kind: draft.kind,
            connect: draft.connect, hasClock: draft.hasClock)
    }

    // MARK: Scenes and bindings

    private func assemble(
        _ references: ReferenceCheck, _ outputs: [Pipeline.Output], _ nodes: [Pipeline.Node],
        _ addresses: AddressCheck, _ settings: [[String: SettingValue]]
    ) -> Pipeline {
        let messageCheck = MessageCheck(
            context: context, outputs: outputs.map { .init(name: $0.name, kind: $0.kind) })
        let sceneCheck = SceneCheck(
            context: context, addresses: addresses,
            settings: SceneSettingsCheck(
                context: context, addresses: addresses, fileSettings: settings),
            messages: messageCheck)
        let scenes = sceneCheck.scenes()
        let names = SceneNames(context: context, names: scenes?.map(\.name))
        let cues = PlayerItemCheck(context: context, nodes: nodes)
        let bindings = BindingCheck(
            context: context, port: references.midiInput,
            target: { addresses.target($0, at: $1.start) }, scene: names.index,
            cue: { name, element in
                cues.cue(name, element) {
                    !references.nameTable.isComplete || references.nameTable[$0] != nil
                }
            })
        let fields = context.fields(of: root)
        let pipeline = Pipeline(
            name: fields.text("name").value ?? FilePath.name(of: context.file),
            summary: fields.text("description").value ?? "",
            inputs: references.inputs.map(makeInput), outputs: outputs, nodes: nodes,
            scenes: scenes ?? [], initialScene: sceneCheck.initialScene(of: scenes),
            bindings: bindings.bindings(), tempo: fields.number("tempo").value ?? 120,
            tailSeconds: fields.number("tail").value ?? 4,
            messages: messageCheck.messages(of: root))
        return pipeline.decidingAlignment()
    }
}
