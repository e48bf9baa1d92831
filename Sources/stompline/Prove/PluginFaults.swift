internal import Engine
internal import LV2
internal import Pipelines
internal import Processing
internal import Proof
internal import SessionCore

/// The faults of the plugins in a night, each found by a trial in a separate process.
struct PluginFaults {
    private(set) var faults: [PlayedNight.PluginFault] = []
    /// The plugins that crashed in their trials, by their URIs.
    private var crashingPlugins: Set<String> = []
    /// The results of the plugins that hung in their trials, by their URIs.
    private var hangs: [String: String] = [:]

    /// Tries the plugins that have no result yet, except those that the night isolates.
    ///
    /// A plugin that hangs is tried only once: each trial of it would take as long.
    init(of songs: SongCollection, _ plugins: PluginList) {
        let nodes = songs.pluginNodes
        for node in nodes where !node.isIsolated { add(node, plugins) }
        // An isolated plugin hangs as well.
        for node in nodes where node.isIsolated { addHang(of: node, isRepeated: true) }
    }

    /// The plugins that hung in their trials, by their URIs.
    var hangingPlugins: Set<String> { Set(hangs.keys) }

    private mutating func add(_ node: PluginNode, _ plugins: PluginList) {
        if hangs[node.uri] != nil { return addHang(of: node, isRepeated: true) }
        guard let verdict = (try? plugins.verdict(on: node.uri)).flatMap({ $0 }) else {
            return add(.untried, of: node)
        }
        switch verdict.outcome {
        case .plays:
            for text in verdict.findings { add(.late(text), of: node) }
        case .crashes:
            crashingPlugins.insert(node.uri)
            add(.crash("\(node.uri) \(verdict.description)"), of: node)
        case .hangs:
            hangs[node.uri] = "\(node.uri) \(verdict.description)"
            addHang(of: node, isRepeated: false)
        // A plugin that is not created is an error of the file.
        case .refused: break
        }
    }

    /// Adds the fault of a plugin that hung in its trial; does nothing if it did not hang.
    private mutating func addHang(of node: PluginNode, isRepeated: Bool) {
        guard let text = hangs[node.uri] else { return }
        add(.hang(text, isRepeated: isRepeated), of: node)
    }

    private mutating func add(_ kind: PlayedNight.PluginFault.Kind, of node: PluginNode) {
        faults.append(.init(song: node.song, node: node.id, kind))
    }

    /// Returns the songs with each plugin that crashed in a separate process, and with a stand-in
    /// for each plugin that hung.
    ///
    /// A crash then ends only that process. The sound is the same, with the same latency. A plugin
    /// that hangs would delay the night in each of its instances, also in a separate process.
    func protecting(_ songs: SongCollection) -> SongCollection {
        var result = songs
        for song in songs.songs.indices {
            for (index, node) in songs.songs[song].pipeline.nodes.enumerated()
            where !node.isStandIn {
                guard case .plugin(let uri) = node.type else { continue }
                if hangs[uri] != nil {
                    result.songs[song].pipeline.nodes[index] = node.asStandIn
                } else if crashingPlugins.contains(uri), node.isolation == .none {
                    result.songs[song].pipeline.nodes[index].isolation = .sameCycle
                    // Without isolation it has all rights of the program, so no sandbox restricts
                    // it here.
                    result.songs[song].pipeline.nodes[index].sandbox = .off
                }
            }
        }
        return result
    }
}

/// A node with a plugin.
private struct PluginNode {
    let song: String
    let id: String
    let uri: String
    let isIsolated: Bool
}

extension SongCollection {
    /// The nodes with plugins, in order; of nodes with the same id and plugin, the first one.
    fileprivate var pluginNodes: [PluginNode] {
        var nodes: [PluginNode] = []
        var known: Set<String> = []
        for song in songs {
            // The plugin of a stand-in is missing, which is a separate finding.
            for node in song.pipeline.nodes where !node.isStandIn {
                guard case .plugin(let uri) = node.type else { continue }
                let isIsolated = node.isolation != .none
                guard known.insert("\(isIsolated) \(node.id) \(uri)").inserted else { continue }
                nodes.append(
                    PluginNode(song: song.name, id: node.id, uri: uri, isIsolated: isIsolated))
            }
        }
        return nodes
    }
}
