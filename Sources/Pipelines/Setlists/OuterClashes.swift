internal import Processing

/// Finds names and signals of a setlist that clash with those of its songs.
struct OuterClashes {
    let context: CheckContext
    let songs: [Setlist.Song]

    /// Reports all clashes of names and kinds, each once.
    func check(inputs: [SignalDraft], outputs: [SignalDraft], nodes: [NodeDraft]) {
        for input in inputs {
            checkKind(of: input, "input", among: \.inputSignals)
            checkOutput(named: input.name, "an input", at: input.offset)
        }
        for output in outputs { checkKind(of: output, "output", among: \.outputSignals) }
        for node in nodes where !node.id.isEmpty {
            let offset = node.element["id"]?.start ?? node.element.start
            checkOutput(named: node.id, "a node", at: offset)
            guard let song = songs.first(where: { $0.pipeline.nodes.map(\.id).contains(node.id) })
            else { continue }
            context.errors.report(
                .duplicateID, at: offset,
                "\(Quoted(node.id)) is already the name of a node of the song \(Quoted(song.name)) in \(Quoted(song.path))"
            )
        }
        checkClocks(of: inputs)
    }

    /// Reports a name that is also one of the songs' audio outputs, which references name.
    private func checkOutput(named name: String, _ kind: String, at offset: Int) {
        let song = songs.first { song in
            song.pipeline.outputs.contains { $0.name == name && $0.kind == .audio }
        }
        guard let song else { return }
        context.errors.report(
            .duplicateID, at: offset,
            "\(Quoted(name)) cannot be the name of \(kind): it is the name of an output of the song \(Quoted(song.name)) in \(Quoted(song.path))"
        )
    }

    /// Reports a signal that is audio in the setlist and MIDI in a song, or the reverse.
    private func checkKind(
        of draft: SignalDraft, _ word: String,
        among signals: KeyPath<Pipeline, [(name: String, kind: Pipeline.SignalKind)]>
    ) {
        for song in songs {
            guard
                let other = song.pipeline[keyPath: signals].first(where: { $0.name == draft.name }),
                other.kind != draft.kind
            else { continue }
            context.errors.report(
                .reference, at: draft.offset,
                "the \(word) \(Quoted(draft.name)) is \(draft.kind.word) here, but \(other.kind.word) in the song \(Quoted(song.name)) in \(Quoted(song.path))"
            )
            return
        }
    }

    /// Reports a second MIDI clock, because there is one tempo.
    private func checkClocks(of inputs: [SignalDraft]) {
        guard let clock = inputs.first(where: \.hasClock) else { return }
        for song in songs {
            guard
                let other = song.pipeline.inputs.first(where: {
                    $0.hasClock && $0.name != clock.name
                })
            else { continue }
            context.errors.report(
                .reference, at: clock.element?["clock"]?.start ?? clock.offset,
                "in the song \(Quoted(song.name)), the tempo already follows the clock of \(Quoted(other.name))"
            )
            return
        }
    }

    /// Reports a MIDI output that would send the events of two nodes.
    func checkEvents(_ flow: SignalFlow, _ outputs: [SignalDraft]) {
        for (output, draft) in zip(flow.outputs, outputs) {
            guard let node = output.events, flow.nodes.indices.contains(node) else { continue }
            for song in songs {
                guard
                    let other = song.pipeline.outputs.first(where: { $0.name == output.name }),
                    let events = other.events, song.pipeline.nodes.indices.contains(events)
                else { continue }
                context.errors.report(
                    .reference, at: draft.element?["from"]?.start ?? draft.offset,
                    "the MIDI output \(Quoted(output.name)) would send the events of \(Quoted(flow.nodes[node].id)) and, in the song \(Quoted(song.name)), those of \(Quoted(song.pipeline.nodes[events].id))"
                )
                break
            }
        }
    }
}
