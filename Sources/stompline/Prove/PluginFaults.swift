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
            for node in song.pipeline.nodes where node.isolation == .none {
                guard case .plugin(let uri) = node.type, seen.insert("\(node.id) \(uri)").inserted,
                    let verdict = (try? plugins.verdict(on: uri)).flatMap({ $0 })
                else { continue }
                add(verdict, song.name, node.id)
            }
        }
    }

    private mutating func add(_ verdict: PluginVerdict, _ song: String, _ node: String) {
        switch verdict.outcome {
        case .plays:
            for text in verdict.findings {
                faults.append(.init(song: song, node: node, text: text, isFatal: false))
            }
        case .crashes, .hangs:
            faults.append(.init(song: song, node: node, text: verdict.description, isFatal: true))
        // A plugin that is not created is an error of the file.
        case .refused: break
        }
    }
}
