internal import LV2
internal import Pipelines
internal import Processing
internal import Proof
internal import SessionCore

/// The trials of a night's plugins with denormals, each in a process of its own and with the values
/// of its node.
struct DenormalTrials {
    private(set) var trials: [PlayedNight.DenormalTrial] = []

    /// A plugin with its values, which is tried once.
    private struct Subject: Hashable {
        let uri: String
        let values: [Float]
    }

    /// Tries all plugins, also those that the night isolates.
    init(of songs: SongCollection, _ plugins: PluginList) {
        var seen: Set<Subject> = []
        for song in songs.songs {
            for node in song.pipeline.nodes where !node.isStandIn {
                guard case .plugin(let uri) = node.type,
                    seen.insert(Subject(uri: uri, values: node.values)).inserted
                else { continue }
                let verdict = plugins.denormals(of: uri, values: node.values)
                trials.append(
                    .init(song: song.name, node: node.id, facts: verdict?.facts ?? [.untried]))
            }
        }
    }
}

extension DenormalVerdict {
    fileprivate var facts: [PlayedNight.DenormalTrial.Fact] {
        var facts: [PlayedNight.DenormalTrial.Fact] = []
        if let arising {
            facts.append(.arise(seconds: arising.seconds, slowdown: arising.slowdown))
        }
        switch protection {
        case .kept: break
        case .disabled: facts.append(.protectionDisabled)
        case .changed: facts.append(.flagsChanged)
        }
        return facts
    }
}
