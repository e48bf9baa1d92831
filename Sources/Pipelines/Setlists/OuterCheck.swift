internal import Processing

/// Checks the inputs, outputs and nodes of a setlist.
///
/// To them, the outputs of the songs are further inputs.
struct OuterCheck {
    let context: CheckContext
    /// The songs whose pipelines are known.
    let songs: [Setlist.Song]
    /// Whether all songs are known.
    let isComplete: Bool
    private var root: JSONElement { context.document.root }

    /// The keys of the outer level.
    static let keys = ["inputs", "outputs", "before", "after"]

    init(context: CheckContext, songs: [Setlist.Song], isComplete: Bool) {
        self.context = context
        self.songs = songs
        self.isComplete = isComplete
    }

    /// Returns the outer level, which is usable only if no error was reported; `nil` if the setlist
    /// has none.
    func check() -> OuterSignals? {
        guard Self.keys.contains(where: { root[$0] != nil }) else { return nil }
        let signals = SignalCheck(context: context)
        let inputs = withControlInput(signals.drafts(of: "inputs", standard: nil))
        let outputs = signals.drafts(of: "outputs", standard: nil)
        let nodeCheck = NodeCheck(context: context)
        let (before, after) = (nodeCheck.drafts(of: "before"), nodeCheck.drafts(of: "after"))
        let isKnown = before != nil && after != nil
        let nodes = isKnown ? (before ?? []) + (after ?? []) : nil
        var names = NameCheck(context: context)
            .nameTable(inputs: inputs, outputs: outputs, nodes: nodes)
        names.isComplete = names.isComplete && isComplete
        let songOutputs = songOutputs(with: outputs ?? [])
        let own = inputs ?? []
        add(songOutputs, after: own.count, to: &names)
        let clashes = OuterClashes(context: context, songs: songs)
        clashes.check(inputs: own, outputs: outputs ?? [], nodes: nodes ?? [])
        var references = ReferenceCheck(
            context: context, nameTable: names, inputs: own + songOutputs)
        references.outerFeeds = standardFeeds(
            own, songOutputs, outputs ?? [], beforeCount: before?.count ?? 0,
            hasAfter: after?.isEmpty == false)
        let flow = SignalFlowCheck(context: context, references: references)
            .flow(to: outputs ?? [], through: nodes)
        let feeds = feeds(of: own, references, flow)
        checkOrder(flow.drafts, beforeCount: before?.count ?? 0, ownCount: own.count)
        clashes.checkEvents(flow, outputs ?? [])
        return OuterSignals(
            inputs: own.map(\.input), songOutputs: songOutputs.map(\.name), nodes: flow.nodes,
            beforeCount: before?.count ?? 0, outputs: flow.outputs, feeds: feeds,
            path: context.file)
    }

    // MARK: Signals

    /// Adds a MIDI input to a setlist that has bindings but no MIDI input.
    private func withControlInput(_ inputs: [SignalDraft]?) -> [SignalDraft]? {
        // A key of the computer needs no input.
        let hasBindings = root["midi"]?.elements.contains { $0["key"] == nil } ?? false
        guard hasBindings, let inputs, !inputs.contains(where: { $0.kind == .midi }),
            !inputs.contains(where: { $0.name == "control" })
        else { return inputs }
        var control = SignalDraft.standard("control", offset: root.start)
        control.kind = .midi
        control.channels = 0
        return inputs + [control]
    }

    /// Returns the audio outputs of all songs, each with as many channels as the widest.
    ///
    /// If a song is not known, it may have an output with the name of one of the setlist's.
    private func songOutputs(with own: [SignalDraft]) -> [SignalDraft] {
        var found: [SignalDraft] = []
        func add(_ name: String, _ channels: Int?) {
            if let index = found.firstIndex(where: { $0.name == name }) {
                found[index].channels = max(found[index].channels ?? 0, channels ?? 0)
            } else {
                var draft = SignalDraft.standard(name, offset: root.start)
                draft.channels = channels
                found.append(draft)
            }
        }
        for output in songs.flatMap(\.pipeline.outputs) where output.kind == .audio {
            add(output.name, output.channels)
        }
        if !isComplete {
            for output in own where output.kind == .audio {
                if !found.contains(where: { $0.name == output.name }) {
                    add(output.name, output.channels)
                }
            }
        }
        return found
    }

    /// Lets the names of the songs' outputs refer to their signals.
    private func add(
        _ songOutputs: [SignalDraft], after count: Int, to names: inout NameTable
    ) {
        for (index, output) in songOutputs.enumerated() {
            switch names[output.name] {
            case nil, .output: names.replace(output.name, with: .input(count + index))
            // `OuterClashes` reports it.
            case .input, .node: break
            }
        }
    }

    private func standardFeeds(
        _ own: [SignalDraft], _ songOutputs: [SignalDraft], _ outputs: [SignalDraft],
        beforeCount: Int, hasAfter: Bool
    ) -> OuterStandardFeeds {
        var feeds = OuterStandardFeeds()
        if beforeCount > 0 {
            feeds.chains[0] = .init(
                input: own.firstIndex { $0.kind == .audio },
                reason:
                    "nothing feeds the first node of \"before\": the setlist has no audio input and the node has no \"from\""
            )
        }
        feeds.chains[beforeCount] = .init(
            input: songOutputs.isEmpty ? nil : own.count,
            reason:
                "nothing feeds the first node of \"after\": the songs have no audio output and the node has no \"from\""
        )
        if !hasAfter {
            for output in outputs {
                let index = songOutputs.firstIndex { $0.name == output.name }
                feeds.outputs[output.name] = index.map { own.count + $0 }
            }
        }
        return feeds
    }

    /// Returns the channels that the songs receive instead of the inputs.
    private func feeds(
        of own: [SignalDraft], _ references: ReferenceCheck, _ flow: SignalFlow
    ) -> [Int: [Pipeline.Tap]] {
        var result: [Int: [Pipeline.Tap]] = [:]
        for (index, input) in own.enumerated() {
            guard let element = input.element,
                let feeds = references.feeds(from: context.fields(of: element), key: "songs")
            else { continue }
            guard input.kind == .audio else {
                context.errors.report(
                    .reference, at: element["songs"]?.start ?? input.offset,
                    "\"songs\" is only for audio inputs; \(Quoted(input.name)) is a MIDI input")
                continue
            }
            let taps = feeds.all.map { flow.widths.taps(of: $0, in: flow.drafts) }
            guard !taps.isEmpty, !taps.contains(where: { $0 == nil }) else { continue }
            let channels = taps.compactMap { $0 }.flatMap { $0 }
            checkEarly(feeds, own.count)
            checkWidth(channels.count, of: input, element)
            result[index] = channels
        }
        return result
    }

    /// Reports songs whose input has more channels than the signal for it.
    private func checkWidth(_ width: Int, of input: SignalDraft, _ element: JSONElement) {
        guard width != 1 else { return }
        for song in songs {
            guard
                let own = song.pipeline.inputs.first(where: {
                    $0.name == input.name && $0.kind == .audio
                }), own.channels > width
            else { continue }
            context.errors.report(
                .channels, at: element["songs"]?.start ?? input.offset,
                "the input \(Quoted(input.name)) of the song \(Quoted(song.name)) has "
                    + "\(Quantity.channels(own.channels)), but its signal has "
                    + Quantity.channels(width))
            return
        }
    }

    // MARK: Order

    /// Reports nodes of `before` that need the songs or nodes of `after`.
    private func checkOrder(_ nodes: [NodeDraft], beforeCount: Int, ownCount: Int) {
        for node in nodes.prefix(beforeCount) {
            for feed in node.feeds.all {
                reportLate(
                    feed, beforeCount, ownCount,
                    "the node \(Quoted(node.id)) of \"before\" cannot use")
            }
        }
    }

    /// Reports a signal for the songs that needs the songs or nodes of `after`.
    private func checkEarly(_ feeds: Feeds, _ ownCount: Int) {
        let count = root["before"]?.elements.count ?? 0
        for feed in feeds.all {
            reportLate(feed, count, ownCount, "an input of the songs cannot use")
        }
    }

    private func reportLate(_ feed: Feed, _ beforeCount: Int, _ ownCount: Int, _ subject: String) {
        let name = Quoted(feed.reference.name)
        switch feed.source {
        case .node(let index)? where index >= beforeCount:
            context.errors.report(
                .reference, at: feed.offset,
                "\(subject) the node \(name) of \"after\", which comes after the songs")
        case .input(let index)? where index >= ownCount:
            context.errors.report(
                .reference, at: feed.offset, "\(subject) \(name), which is an output of the songs")
        default: break
        }
    }
}
