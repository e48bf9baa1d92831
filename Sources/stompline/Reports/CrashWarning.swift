internal import LV2
internal import Pipelines
internal import Processing

/// Warns about plugins in whose code an earlier run crashed or was killed.
enum CrashWarning {
    /// Warns about such plugins of a pipeline, except those that run in a separate process.
    static func show(for pipeline: Pipeline) {
        let crashes = CrashDiary.crashes()
        for node in pipeline.nodes where node.isolation == .none && !node.isStandIn {
            guard case .plugin(let uri) = node.type else { continue }
            for crash in crashes where crash.uri == uri {
                Console.notify("\(node.id): \(text(crash))")
            }
        }
    }

    /// Returns the recorded crashes of a plugin as text; `nil` for a plugin without crashes.
    static func text(ofPlugin uri: String) -> String? {
        let known = CrashDiary.crashes().filter { $0.uri == uri }
        return known.isEmpty ? nil : known.map(text).joined(separator: "\n")
    }

    private static func text(_ crash: PluginCrash) -> String {
        "an earlier run ended inside the plugin \(crash.uri), \(crash.phrase): the plugin crashed "
            + "or hung, or the program was killed there; set \"isolate\": true to run the plugin in "
            + "a separate process"
    }
}

extension Pipeline {
    /// The URIs of the pipeline's plugins that play.
    var pluginURIs: Set<String> {
        Set(
            nodes.filter { !$0.isStandIn }
                .compactMap { if case .plugin(let uri) = $0.type { uri } else { nil } })
    }
}
