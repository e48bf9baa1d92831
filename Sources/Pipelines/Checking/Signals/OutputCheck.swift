/// Matches the signals that feed outputs with the outputs' channels.
struct OutputCheck {
    let context: CheckContext
    let references: ReferenceCheck
    let nodes: [NodeDraft]

    /// Returns the signals that feed an output: its `from`, the last node, or the first input.
    func feeds(of output: SignalDraft) -> Feeds {
        guard output.kind == .audio else { return .nothing }
        if let element = output.element,
            let feeds = references.feeds(from: context.fields(of: element))
        {
            return feeds
        }
        let offset = output.offset
        if let input = references.outerFeeds?.outputs[output.name] {
            return references.input(input, at: offset)
        }
        if let last = nodes.last {
            let reference = SignalReference(allOf: last.id)
            let source = Pipeline.Source.node(nodes.count - 1)
            return .sideBySide([Feed(reference: reference, source: source, offset: offset)])
        }
        if let feeds = references.firstInput(at: offset) { return feeds }
        if references.nameTable.isComplete {
            context.errors.report(
                .reference, at: offset,
                "nothing feeds the output \(Quoted(output.name)): the file has no node and no audio input"
            )
        }
        return .invalid
    }

    /// Returns the signals that feed each audio output, and the number of its channels.
    func feedsAndChannels(of outputs: [SignalDraft]) -> [(Feeds, channels: Int?)] {
        outputs.filter { $0.kind == .audio }.map { (feeds(of: $0), $0.channels) }
    }

    /// Returns the signal for each channel of an output, and the channels that are not aligned;
    /// `nil` if a signal is not known or does not fit.
    func taps(
        of output: SignalDraft, _ widths: SignalWidths
    ) -> (taps: [Pipeline.Tap], unaligned: Set<Int>)? {
        if output.kind == .midi { return ([], []) }
        let feeds = feeds(of: output).all
        guard let (fitting, known) = taps(of: output, feeds, widths) else { return nil }
        return (fitting, UnalignedSignals(feeds, known).indices(in: fitting))
    }

    /// Returns the signal for each channel of an output, and the channels of each of its feeds.
    private func taps(
        of output: SignalDraft, _ feeds: [Feed], _ widths: SignalWidths
    ) -> (fitting: [Pipeline.Tap], known: [[Pipeline.Tap]])? {
        let taps = feeds.map { widths.taps(of: $0, in: nodes) }
        guard !feeds.isEmpty, !taps.contains(where: { $0 == nil }),
            let channels = output.channels
        else { return nil }
        let known = taps.compactMap { $0 }
        let fed = Array(known.joined())
        if fed.count == channels { return (fed, known) }
        if fed.count == 1, channels == 2 { return (fed + fed, known) }
        // The width of a stand-in is only an estimate, so a mismatch is no reason to refuse an
        // output.
        if !fed.isEmpty, comeFromStandIn(feeds) {
            return ((0..<channels).map { fed[$0 % fed.count] }, known)
        }
        report(output, channels, feeds, known)
        return nil
    }

    /// Returns whether any of the signals comes from a stand-in, directly or through other nodes.
    private func comeFromStandIn(_ feeds: [Feed]) -> Bool {
        var visited: Set<Int> = []
        var waiting = feeds
        while let feed = waiting.popLast() {
            guard case .node(let index)? = feed.source, visited.insert(index).inserted else {
                continue
            }
            if nodes[index].isStandIn { return true }
            waiting += nodes[index].feeds.all
        }
        return false
    }

    private func report(
        _ output: SignalDraft, _ channels: Int, _ feeds: [Feed], _ taps: [[Pipeline.Tap]]
    ) {
        let offset = (output.element?["from"]).map(\.start) ?? output.offset
        context.errors.report(
            .channels, at: offset,
            "the output \(Quoted(output.name)) has \(Quantity.channels(channels)), "
                + "but its source has \(Quantity.channels(taps.joined().count))",
            suggestion: FittingReference.text(channels, from: feeds, taps))
    }
}
