internal import Processing

/// The nodes and outputs of a file.
struct SignalFlow {
    var nodes: [Pipeline.Node]
    var outputs: [Pipeline.Output]
    let addresses: AddressCheck
    /// The settings of each node.
    let settings: [[String: SettingValue]]
    /// The nodes in the form of the check.
    let drafts: [NodeDraft]
    /// The channels of all signals.
    let widths: SignalWidths
}

/// Connects the nodes and outputs of a file, and matches their channels.
struct SignalFlowCheck {
    let context: CheckContext
    let references: ReferenceCheck

    /// Connects the nodes and outputs.
    ///
    /// - Parameters:
    ///   - outputs: The outputs.
    ///   - found: The nodes; `nil` if an error hides them.
    /// - Returns: The signal flow, which is usable only if no error was reported.
    func flow(to outputs: [SignalDraft], through found: [NodeDraft]?) -> SignalFlow {
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
            nodes[index].whenLate = WhenLateCheck(context: context)
                .whenLate(of: nodes[index], settings[index])
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
        let made = makeNodes(nodes, settings, addresses)
        let events = EventCheck(references: references, nodes: nodes).sources(of: outputs)
        var madeOutputs = zip(outputs, taps).map { makeOutput($0, taps: $1?.taps ?? []) }
        for index in madeOutputs.indices {
            madeOutputs[index].events = events[index]
            madeOutputs[index].unalignedChannels = taps[index]?.unaligned ?? []
        }
        return SignalFlow(
            nodes: made, outputs: madeOutputs, addresses: addresses, settings: settings,
            drafts: nodes, widths: channels.widths)
    }

    private func makeNodes(
        _ nodes: [NodeDraft], _ settings: [[String: SettingValue]], _ addresses: AddressCheck
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
            made.whenLate = node.whenLate
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
        // It has as many channels as its input, and neither measures nor reads events.
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
        var output = Pipeline.Output(
            name: draft.name, channels: draft.channels ?? 0, kind: draft.kind, taps: taps,
            hasLimiter: draft.hasLimiter, connect: draft.connect, hasClock: draft.hasClock)
        output.latencyMilliseconds = draft.latencyMilliseconds
        return output
    }
}
