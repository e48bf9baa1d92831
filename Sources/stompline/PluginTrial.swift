internal import LV2
internal import Pipelines
internal import Processing

/// What trying a pipeline's plugins, each in a process of its own, came to.
struct PluginTrial {
    private let pipeline: Pipeline
    private let file: String
    /// The verdict on each node's plugin, by the node's place.
    private let verdicts: [(node: Int, verdict: PluginVerdict)]

    /// Tries those plugins that were not tried before.
    init(of pipeline: Pipeline, file: String, _ plugins: PluginList) {
        self.pipeline = pipeline
        self.file = file
        verdicts = pipeline.nodes.enumerated().compactMap { place, node in
            guard case .plugin(let uri) = node.type else { return nil }
            return (try? plugins.verdict(on: uri)).flatMap { $0 }.map { (place, $0) }
        }
    }

    /// Ends where a plugin would end this process as well.
    ///
    /// - Throws: `InvalidPipeline` with every such plugin.
    func refuse() throws(InvalidPipeline) {
        let faults = verdicts.compactMap { node, verdict -> Diagnostic? in
            switch verdict.outcome {
            case .crashes(.make, _) where !isIsolated(node),
                .hangs(.make) where !isIsolated(node):
                diagnostic(node, verdict, .error)
            default: nil
            }
        }
        guard faults.isEmpty else {
            throw InvalidPipeline(diagnostics: faults, lacksOnlyPlugins: true)
        }
    }

    /// What a musician should know of plugins that play.
    var warnings: [Diagnostic] {
        verdicts.compactMap { node, verdict in
            let isGood = verdict.outcome == .plays && verdict.isFinite && verdict.breaches.isEmpty
            if case .refused = verdict.outcome { return nil }
            return isGood ? nil : diagnostic(node, verdict, .warning)
        }
    }

    private func isIsolated(_ node: Int) -> Bool { pipeline.nodes[node].isolation != .none }

    private func diagnostic(
        _ node: Int, _ verdict: PluginVerdict, _ severity: Diagnostic.Severity
    ) -> Diagnostic {
        let cure = isIsolated(node) ? "" : "; \"isolate\": true keeps it from the show"
        return Diagnostic(
            ofPluginAt: node, inFile: file,
            "the plugin of '\(pipeline.nodes[node].id)' \(verdict.complaint)\(cure)",
            severity: severity)
    }
}

extension PluginVerdict {
    /// What is wrong with it, as the end of a sentence about it.
    fileprivate var complaint: String {
        guard outcome == .plays else { return description }
        let notes = (isFinite ? [] : ["puts out NaN or infinity"]) + breaches.map(\.description)
        return notes.joined(separator: ", ") + ", which may make the sound late"
    }
}
