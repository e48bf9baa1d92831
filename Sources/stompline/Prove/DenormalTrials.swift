internal import LV2
internal import Pipelines
internal import Processing
internal import Proof
internal import SessionCore

/// Trials that find which plugins slow down with denormals.
///
/// Each trial runs in a separate process, with the values, the preset and the files of the node.
struct DenormalTrials {
    private(set) var trials: [PlayedNight.DenormalTrial] = []

    /// A plugin with values and settings; equal ones need only one trial.
    private struct Subject: Hashable {
        let uri: String
        let values: [Float]
        let settings: [String: SettingValue]
    }

    /// Tries all plugins, including isolated ones, except those that hang in a trial.
    ///
    /// - Parameters:
    ///   - songs: The songs.
    ///   - plugins: The plugins.
    ///   - hangingPlugins: The plugins that are known to hang, by their URIs.
    init(of songs: SongCollection, _ plugins: PluginList, hangingPlugins: Set<String>) {
        var seen: Set<Subject> = []
        var hangingPlugins = hangingPlugins
        for song in songs.songs {
            for node in song.pipeline.nodes where !node.isStandIn {
                guard case .plugin(let uri) = node.type,
                    seen.insert(
                        Subject(uri: uri, values: node.values, settings: node.playedSettings)
                    ).inserted
                else { continue }
                guard !hangingPlugins.contains(uri) else {
                    trials.append(
                        .init(song: song.name, node: node.id, facts: [.untriedAfterHang]))
                    continue
                }
                let outcome = plugins.denormals(
                    of: uri, node.request(atTempo: song.pipeline.tempo))
                if case .hangs = outcome { hangingPlugins.insert(uri) }
                trials.append(.init(song: song.name, node: node.id, facts: outcome.facts))
            }
        }
    }
}

extension Pipeline.Node {
    /// Returns the request for a trial of a node; the trial replaces its format.
    fileprivate func request(atTempo tempo: Double) -> ProcessorRequest {
        ProcessorRequest(
            format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64), inputChannels: 0,
            outputChannels: 0, parameters: values, settings: playedSettings, tempo: tempo,
            sandbox: sandbox)
    }
}

extension DenormalOutcome {
    fileprivate var facts: [PlayedNight.DenormalTrial.Fact] {
        switch self {
        case .verdict(let verdict): verdict.facts
        case .hangs(let step): [.hang(step.phrase)]
        case .untried: [.untried]
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
