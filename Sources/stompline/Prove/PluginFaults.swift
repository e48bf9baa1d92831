internal import LV2
internal import Pipelines
internal import Processing
internal import Proof
internal import SessionCore

/// The faults of a night's plugins, each found by a trial in a process of its own.
struct PluginFaults {
    private(set) var faults: [PlayedNight.PluginFault] = []

    /// Tries the plugins that have no result yet.
    init(of songs: SongCollection, _ plugins: PluginList) {
        var seen: Set<String> = []
        for song in songs.songs {
            // The plugin of a stand-in is missing, which is a finding of its own.
            for node in song.pipeline.nodes where node.isolation == .none && !node.isStandIn {
                guard case .plugin(let uri) = node.type, seen.insert("\(node.id) \(uri)").inserted
                else { continue }
                if let verdict = (try? plugins.verdict(on: uri)).flatMap({ $0 }) {
                    add(verdict, song.name, node.id)
                } else {
                    faults.append(.init(song: song.name, node: node.id, .untried))
                }
            }
        }
    }

    private mutating func add(_ verdict: PluginVerdict, _ song: String, _ node: String) {
        switch verdict.outcome {
        case .plays:
            for text in verdict.findings {
                faults.append(.init(song: song, node: node, .late(text)))
            }
        case .crashes, .hangs:
            faults.append(.init(song: song, node: node, .fatal(verdict.description)))
        // A plugin that is not created is an error of the file.
        case .refused: break
        }
    }
}
