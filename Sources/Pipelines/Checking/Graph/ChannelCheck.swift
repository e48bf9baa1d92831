internal import Processing

/// Matches the channels that feed each node with the channels that the node accepts.
struct ChannelCheck {
    let context: CheckContext
    let widths: SignalWidths
    private var tapsLeft = 1 << 16

    /// The largest number of channels that feed one node.
    private static let maximumChannels = 256

    init(context: CheckContext, inputs: [SignalDraft]) {
        self.context = context
        widths = SignalWidths(context: context, inputs: inputs)
    }

    /// Determines the channels of all nodes, each after the nodes that feed it.
    mutating func check(_ nodes: inout [NodeDraft]) {
        for index in NodeOrder.indices(of: nodes) {
            var node = nodes[index]
            check(&node, in: nodes)
            nodes[index] = node
        }
    }

    private mutating func check(_ node: inout NodeDraft, in nodes: [NodeDraft]) {
        if node.isStandIn { return checkStandIn(&node, in: nodes) }
        guard let description = node.description else {
            for feed in node.feeds.all { _ = widths.taps(of: feed, in: nodes) }
            return
        }
        // The number of a plugin's outputs does not depend on its inputs.
        node.outputChannels = description.ports?.outputs.count
        switch node.feeds {
        case .invalid: break
        case .nothing: checkSource(&node)
        case .ports(let ports): checkPorts(ports, &node, in: nodes)
        case .sideBySide(let feeds): checkSideBySide(feeds, &node, description, in: nodes)
        }
    }

    /// Gives a stand-in the inputs that are known, and the outputs that its receivers need.
    private mutating func checkStandIn(_ node: inout NodeDraft, in nodes: [NodeDraft]) {
        let taps = node.feeds.all.compactMap { widths.taps(of: $0, in: nodes) }
        guard isBounded(taps, node) else { return }
        node.instances = [Array(taps.joined())]
        node.markUnalignedInputs(node.feeds.all, taps)
        let channels = node.wantedChannels ?? node.channelsSetting ?? taps.joined().count
        node.outputChannels = PipelineKeys.channels.clamping(channels)
    }

    private func checkSource(_ node: inout NodeDraft) {
        if let ports = node.description?.ports {
            node.instances = [ports.inputs.map { _ in nil }]
        } else {
            node.instances = [[]]
            node.outputChannels = node.channelsSetting ?? node.facts?.outputChannels
        }
    }

    private mutating func checkSideBySide(
        _ feeds: [Feed], _ node: inout NodeDraft, _ description: TypeDescription,
        in nodes: [NodeDraft]
    ) {
        let isMixer = description.isMixer
        if isMixer { StripCheck(context: context).checkNames(feeds, of: &node) }
        let taps = feeds.map { widths.taps(of: $0, in: nodes) }
        guard !taps.contains(where: { $0 == nil }) else {
            if isMixer { node.outputChannels = node.channelsSetting }
            return
        }
        let known = taps.compactMap { $0 }
        guard isBounded(known, node) else { return }
        if isMixer {
            StripCheck(context: context).check(known, feeds, of: &node)
        } else {
            fit(known, feeds, to: &node, description)
        }
        node.markUnalignedInputs(feeds, known)
    }

    /// Returns whether the number of channels is within the limits of the node and of the file.
    private mutating func isBounded(_ taps: [[Pipeline.Tap]], _ node: NodeDraft) -> Bool {
        let count = taps.reduce(0) { $0 + $1.count }
        guard count <= Self.maximumChannels else {
            context.errors.report(
                .limit, at: node.feedOffset,
                "the node has \(count) input channels; at most \(Self.maximumChannels) are allowed")
            return false
        }
        guard count <= tapsLeft else {
            context.errors.report(
                .limit, at: node.feedOffset,
                "all nodes together have more than 65536 input channels")
            return false
        }
        tapsLeft -= count
        return true
    }

    // MARK: Effects and plugins

    private func fit(
        _ feedTaps: [[Pipeline.Tap]], _ feeds: [Feed], to node: inout NodeDraft,
        _ description: TypeDescription
    ) {
        let taps = Array(feedTaps.joined())
        guard let ports = description.ports else {
            if taps.isEmpty { return reportSilent(feeds, node) }
            node.instances = [taps]
            node.outputChannels = taps.count
            return
        }
        let fitting = PortFitting(ports)
        guard let instances = fitting.instances(for: taps) else {
            return reportMismatch(feedTaps, fitting, feeds, node, description)
        }
        node.instances = instances
        node.outputChannels = instances.count * ports.outputs.count
    }

    private func reportSilent(_ feeds: [Feed], _ node: NodeDraft) {
        let names = feeds.map { Quoted($0.reference.text).description }
        context.errors.report(
            .channels, at: node.feedOffset,
            "the node needs at least 1 input channel, but \(Quantity.alternatives(names)) has none")
    }

    private func reportMismatch(
        _ taps: [[Pipeline.Tap]], _ fitting: PortFitting, _ feeds: [Feed], _ node: NodeDraft,
        _ description: TypeDescription
    ) {
        let accepted = Quantity.channels(fitting.requiredCount)
        context.errors.report(
            .channels, at: node.feedOffset,
            "the input has \(Quantity.channels(taps.joined().count)), "
                + "but \(Quoted(description.description.label)) accepts \(accepted)",
            suggestion: FittingReference.text(fitting.requiredCount, from: feeds, taps))
    }

    private func checkPorts(
        _ ports: [(port: Int, feed: Feed)], _ node: inout NodeDraft, in nodes: [NodeDraft]
    ) {
        guard let inputs = node.description?.ports?.inputs else { return }
        var taps: [Pipeline.Tap?] = inputs.map { _ in nil }
        for (port, feed) in ports {
            guard let found = widths.taps(of: feed, in: nodes) else { continue }
            taps[port] = found.first
            if !feed.isAligned { node.unalignedInputs.insert(port) }
            guard found.count != 1 else { continue }
            let name = feed.reference.name
            context.errors.report(
                .channels, at: feed.offset,
                "the signal has \(Quantity.channels(found.count)), but a port accepts 1 channel",
                suggestion: found.isEmpty ? nil : "\(name):1")
        }
        reportOpenPorts(inputs, Set(ports.map(\.port)), node)
        node.instances = [taps]
    }

    private func reportOpenPorts(_ inputs: [PortDescription], _ fed: Set<Int>, _ node: NodeDraft) {
        let open = inputs.indices.filter { !inputs[$0].isOptional && !fed.contains($0) }
        guard !open.isEmpty, !context.errors.hasError(within: node.element["ports"]) else { return }
        let names = open.map { Quoted(inputs[$0].symbol).description }
        context.errors.report(
            .channels, at: node.feedOffset,
            "nothing feeds the plugin's audio input \(names.joined(separator: ", "))")
    }
}

extension ClosedRange where Bound == Int {
    /// Returns the value in the range that is nearest to a number.
    fileprivate func clamping(_ number: Int) -> Int {
        Swift.min(Swift.max(number, lowerBound), upperBound)
    }
}
