// Compares every installed plugin with the bare host, each in a process of its own, and prints a line for each:
//
//   plugin-survey              all plugins with audio outputs
//   plugin-survey URI BLOCKS   one plugin

internal import Glibc
internal import LV2
internal import PluginComparison
internal import Processing

/// The plugin's line, printed by the process that runs it.
func survey(_ uri: String, blocks: Int) {
    let outcome =
        switch Comparison(of: uri, in: PluginWorld(), blocks: blocks) {
        case .equal: "equal"
        case .differs(let sample, let own, let bare):
            "differs\tfrom sample \(sample): \(own), bare \(bare)"
        case .notDeterministic: "not deterministic"
        case .notBare: "bare host fails"
        case .refused(let reason): "refused\t\(reason)"
        }
    print("\(uri)\t\(outcome)")
    fflush(nil)
}

func surveyAll() throws {
    let own = ChildProgram(path: "/proc/self/exe")
    for plugin in try PluginWorld().summaries() where plugin.audioOutputCount > 0 {
        let end = own.run([plugin.uri, "400"])
        if end != .status(0) { print("\(plugin.uri)\tcrashes\t\(end)") }
        fflush(nil)
    }
}

if CommandLine.arguments.count == 3 {
    survey(CommandLine.arguments[1], blocks: Int(CommandLine.arguments[2]) ?? 400)
} else {
    try surveyAll()
}
