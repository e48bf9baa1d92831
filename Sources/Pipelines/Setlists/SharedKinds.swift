internal import Processing

/// The kinds of the inputs and outputs that the songs of a setlist share.
struct SharedKinds {
    private var inputs: [String: Use] = [:]
    private var outputs: [String: Use] = [:]

    /// The kind of a signal in the first song that has it.
    private struct Use {
        let kind: Pipeline.SignalKind
        let song: Setlist.Song
    }

    /// Adds the signals of a song, unless one of them has another kind in an earlier song.
    ///
    /// - Returns: A sentence about the first such signal, without its full stop; `nil` if the signals
    ///   were added.
    mutating func add(_ song: Setlist.Song) -> String? {
        let pipeline = song.pipeline
        if let clash = Self.clash(of: pipeline.inputSignals, in: song, "input", inputs)
            ?? Self.clash(of: pipeline.outputSignals, in: song, "output", outputs)
        {
            return clash
        }
        Self.add(pipeline.inputSignals, of: song, to: &inputs)
        Self.add(pipeline.outputSignals, of: song, to: &outputs)
        return nil
    }

    private static func clash(
        of signals: [(name: String, kind: Pipeline.SignalKind)], in song: Setlist.Song,
        _ word: String, _ known: [String: Use]
    ) -> String? {
        for (name, kind) in signals {
            guard let first = known[name], first.kind != kind else { continue }
            return
                "the \(word) \(Quoted(name)) of the song \(Quoted(song.name)) is \(kind.word), but \(first.kind.word) in the song \(Quoted(first.song.name)) in \(Quoted(first.song.path)); all songs share the \(word), so rename one of the two"
        }
        return nil
    }

    private static func add(
        _ signals: [(name: String, kind: Pipeline.SignalKind)], of song: Setlist.Song,
        to known: inout [String: Use]
    ) {
        for (name, kind) in signals where known[name] == nil {
            known[name] = Use(kind: kind, song: song)
        }
    }
}

extension Pipeline {
    /// The names and kinds of the inputs.
    var inputSignals: [(name: String, kind: SignalKind)] { inputs.map { ($0.name, $0.kind) } }

    /// The names and kinds of the outputs.
    var outputSignals: [(name: String, kind: SignalKind)] { outputs.map { ($0.name, $0.kind) } }
}

extension Pipeline.SignalKind {
    /// The kind in a sentence.
    var word: String { self == .midi ? "MIDI" : "audio" }
}
