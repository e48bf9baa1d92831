public import Pipelines

/// Connection rules of a song that have no effect, because an earlier song has another `connect` for
/// a signal of the same name.
///
/// All songs share the ports, and the first song that has a signal decides its connections.
public struct IgnoredConnections: Sendable, Equatable {
    /// The song whose rules have no effect.
    public let song: Song
    /// The name of the song whose rules apply.
    public let decidingSong: String
    /// The name of the input or output.
    public let signal: String
    /// Whether it is an input.
    public let isInput: Bool

    /// A sentence without its full stop.
    public var message: String {
        "the song \"\(song.name)\" has another \"connect\" for "
            + "\(isInput ? "the input" : "the output") \"\(signal)\" than the song "
            + "\"\(decidingSong)\" before it, and all songs use that one; give both the same rules, or "
            + "the signal another name"
    }

    /// The warning about the rules, at their position in the file of the song.
    public var diagnostic: Diagnostic {
        Diagnostic(
            ofConnection: 0, of: signal, isInput: isInput, in: song.pipeline,
            inFile: song.path, message, suggestion: nil)
    }
}

extension SongCollection {
    /// The connection rules that have no effect, in the order of the songs.
    ///
    /// A song without rules for a signal accepts the rules of the other songs.
    public var ignoredConnections: [IgnoredConnections] {
        ignored(isInput: true) { $0.inputs.map { ($0.name, $0.connect) } }
            + ignored(isInput: false) { $0.outputs.map { ($0.name, $0.connect) } }
    }

    private func ignored(
        isInput: Bool, _ signals: (Pipeline) -> [(String, [Pipeline.ConnectionRule])]
    ) -> [IgnoredConnections] {
        var deciding: [String: (song: String, rules: [Pipeline.ConnectionRule])] = [:]
        var ignored: [IgnoredConnections] = []
        for song in songs where song.isPlayable {
            for (name, rules) in signals(song.pipeline) {
                guard let first = deciding[name] else {
                    deciding[name] = (song.name, rules)
                    continue
                }
                guard !rules.isEmpty, rules != first.rules else { continue }
                ignored.append(
                    IgnoredConnections(
                        song: song, decidingSong: first.song, signal: name, isInput: isInput))
            }
        }
        return ignored
    }
}
