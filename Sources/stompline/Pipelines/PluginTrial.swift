internal import LV2
internal import Pipelines
internal import Processing

/// The results of trying a pipeline's plugins, each in a separate process.
struct PluginTrial {
    private let pipeline: Pipeline
    private let file: String
    /// The verdict on the plugin of each node, with the index of the node.
    private let verdicts: [(node: Int, verdict: PluginVerdict)]

    /// Tries the plugins that have no result yet.
    init(of pipeline: Pipeline, file: String, _ plugins: PluginList) {
        self.pipeline = pipeline
        self.file = file
        verdicts = pipeline.nodes.enumerated().compactMap { index, node in
            guard case .plugin(let uri) = node.type else { return nil }
            return (try? plugins.verdict(on: uri)).flatMap { $0 }.map { (index, $0) }
        }
    }

    /// Fails if a plugin would crash this process.
    ///
    /// - Throws: `InvalidPipeline` with every such plugin.
    func refuse() throws(InvalidPipeline) {
        let errors = verdicts.compactMap { node, verdict -> Diagnostic? in
            switch verdict.outcome {
            case .crashes(.make, _) where !isIsolated(node),
                .hangs(.make) where !isIsolated(node):
                diagnostic(node, verdict, .error)
            default: nil
            }
        }
        guard errors.isEmpty else {
            throw InvalidPipeline(diagnostics: errors, lacksOnlyPlugins: true)
        }
    }

    /// The problems of plugins that can be played.
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
        let cure = isIsolated(node) ? "" : "; \"isolate\": true runs it in a separate process"
        return Diagnostic(
            ofPluginAt: node, in: pipeline, inFile: file,
            "the plugin of '\(pipeline.nodes[node].id)' \(verdict.reason)\(cure)",
            severity: severity)
    }
}

extension PluginVerdict {
    /// The plugin's problems, as the end of a sentence.
    fileprivate var reason: String {
        guard outcome == .plays else { return description }
        let text = findings.joined(separator: ", ")
        return breaches.allSatisfy(\.kind.isRefused) && isFinite
            ? text : text + ", which can cause xruns"
    }
}
