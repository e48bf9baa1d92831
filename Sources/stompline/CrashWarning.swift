internal import LV2
internal import Pipelines
internal import Processing

/// Tells of plugins in whose code an earlier run ended.
enum CrashWarning {
    /// Warns of those plugins of a pipeline that have no process of their own.
    static func show(for pipeline: Pipeline) {
        let crashes = CrashDiary.crashes()
        for node in pipeline.nodes where node.isolation == .none {
            guard case .plugin(let uri) = node.type else { continue }
            for crash in crashes where crash.uri == uri {
                Console.complain("\(node.id): \(text(crash))")
            }
        }
    }

    /// What is known of a plugin; nil where nothing is.
    static func text(ofPlugin uri: String) -> String? {
        let known = CrashDiary.crashes().filter { $0.uri == uri }
        return known.isEmpty ? nil : known.map(text).joined(separator: "\n")
    }

    private static func text(_ crash: PluginCrash) -> String {
        "an earlier run ended inside the plugin \(crash.uri), \(crash.place): it crashed or hung, or the "
            + "program was killed there; \"isolate\": true gives it a process of its own"
    }
}

extension Pipeline {
    /// The plugins that it uses.
    var pluginURIs: Set<String> {
        Set(nodes.compactMap { if case .plugin(let uri) = $0.type { uri } else { nil } })
    }
}
