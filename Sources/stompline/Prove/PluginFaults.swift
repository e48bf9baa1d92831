internal import LV2
internal import Pipelines
internal import Processing
internal import Proof
internal import SessionCore

/// The faults of the plugins in a night, each found by a trial in a separate process.
struct PluginFaults {
    private(set) var faults: [PlayedNight.PluginFault] = []
    /// The plugins that crashed or hung in their trials, by their URIs.
    private var fatalPlugins: Set<String> = []

    /// Tries the plugins that have no result yet, except those that the night isolates.
    init(of songs: SongCollection, _ plugins: PluginList) {
        var seen: Set<String> = []
        for song in songs.songs {
            // The plugin of a stand-in is missing, which is a separate finding.
            for node in song.pipeline.nodes where node.isolation == .none && !node.isStandIn {
                guard case .plugin(let uri) = node.type, seen.insert("\(node.id) \(uri)").inserted
                else { continue }
                if let verdict = (try? plugins.verdict(on: uri)).flatMap({ $0 }) {
                    add(verdict, of: uri, song.name, node.id)
                } else {
                    faults.append(.init(song: song.name, node: node.id, .untried))
                }
            }
        }
    }

    private mutating func add(
        _ verdict: PluginVerdict, of uri: String, _ song: String, _ node: String
    ) {
        switch verdict.outcome {
        case .plays:
            for text in verdict.findings {
                faults.append(.init(song: song, node: node, .late(text)))
            }
        case .crashes, .hangs:
            fatalPlugins.insert(uri)
            faults.append(.init(song: song, node: node, .fatal("\(uri) \(verdict.description)")))
        // A plugin that is not created is an error of the file.
        case .refused: break
        }
    }

    /// Returns the songs with each plugin that crashed or hung isolated in a separate process.
    ///
    /// A crash then ends only that process. The sound is the same, with the same latency.
    func isolating(_ songs: SongCollection) -> SongCollection {
        var result = songs
        for song in songs.songs.indices {
            for (index, node) in songs.songs[song].pipeline.nodes.enumerated()
            where node.isolation == .none && !node.isStandIn {
                guard case .plugin(let uri) = node.type, fatalPlugins.contains(uri) else {
                    continue
                }
                result.songs[song].pipeline.nodes[index].isolation = .sameCycle
                // Without isolation it has all rights of the program, so no sandbox restricts it here.
                result.songs[song].pipeline.nodes[index].sandbox = .off
            }
        }
        return result
    }
}
