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
        let flow = SignalFlowCheck(context: context, references: references)
            .flow(to: outputs ?? [], through: nodes)
        return assemble(references, flow)
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

    // MARK: Scenes and bindings

    private func assemble(_ references: ReferenceCheck, _ flow: SignalFlow) -> Pipeline {
        let (outputs, nodes, addresses) = (flow.outputs, flow.nodes, flow.addresses)
        let messageCheck = MessageCheck(
            context: context, outputs: outputs.map { .init(name: $0.name, kind: $0.kind) })
        let sceneCheck = SceneCheck(
            context: context, addresses: addresses,
            settings: SceneSettingsCheck(
                context: context, addresses: addresses, fileSettings: flow.settings),
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
        var pipeline = Pipeline(
            name: fields.text("name").value ?? FilePath.name(of: context.file),
            summary: fields.text("description").value ?? "",
            inputs: references.inputs.map(\.input), outputs: outputs, nodes: nodes,
            scenes: scenes ?? [], initialScene: sceneCheck.initialScene(of: scenes),
            bindings: bindings.bindings(), tempo: fields.number("tempo").value ?? 120,
            tailSeconds: fields.number("tail").value ?? 4,
            messages: messageCheck.messages(of: root))
        pipeline.cores =
            fields.text("cores").value == "auto"
            ? .auto : fields.whole("cores").value.map { .count($0) }
        pipeline.bridges = BridgeCheck(context: context).bridges()
        pipeline.followed = FollowCheck(context: context).followed()
        return pipeline.decidingAlignment()
    }
}
