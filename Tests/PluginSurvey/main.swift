// Compares every installed plugin's output in the engine with the bare host's, each in a process of its own, and prints a
// line for each. It fails where a plugin differs or crashes that is not among the known exceptions.
//
//   plugin-survey              all plugins
//   plugin-survey URI BLOCKS   one plugin
//   plugin-survey --list       their URIs
//   plugin-survey --play URI BLOCKS   one plugin in the engine alone, for RealtimeSanitizer

internal import Glibc
internal import LV2
internal import PluginComparison
internal import Processing

/// The exit status of the process that found a difference.
let differs: Int32 = 3

/// The plugin's line, printed by the process that runs it.
func survey(_ uri: String, blocks: Int) -> Int32 {
    let comparison = Comparison(of: uri, in: PluginWorld(), blocks: blocks)
    let outcome =
        switch comparison {
        case .equal: "equal"
        case .noOutput: "runs, no audio output"
        case .differs(let sample, let own, let bare):
            "differs\tfrom sample \(sample): \(own), bare \(bare)"
        case .notDeterministic: "not repeatable"
        case .nonFinite: "not finite, silenced"
        case .notBare: "bare host fails"
        case .refused(let reason): "refused\t\(reason)"
        }
    print("\(uri)\t\(outcome)")
    fflush(nil)
    if case .differs = comparison { return differs }
    return 0
}

/// Surveys all; returns how many are worse than known.
func surveyAll() throws -> Int {
    let own = ChildProgram(path: "/proc/self/exe")
    var badCount = 0
    for plugin in try PluginWorld().summaries() {
        let end = own.run([plugin.uri, "400"])
        if end != .status(0), end != .status(differs) { print("\(plugin.uri)\tcrashes\t\(end)") }
        if end != .status(0) {
            let reason = Exceptions.reason(for: plugin.uri)
            print("\(plugin.uri)\t\(reason.map { "known\t\($0)" } ?? "BAD")")
            badCount += reason == nil ? 1 : 0
        }
        fflush(nil)
    }
    return badCount
}

switch CommandLine.arguments.count {
case 4:
    let blocks = Int(CommandLine.arguments[3]) ?? 400
    let refusal = Comparison.play(CommandLine.arguments[2], in: PluginWorld(), blocks: blocks)
    print(refusal.map { "refused: \($0)" } ?? "plays")
case 3: exit(survey(CommandLine.arguments[1], blocks: Int(CommandLine.arguments[2]) ?? 400))
case 2:
    for plugin in try PluginWorld().summaries() {
        print(plugin.uri)
    }
default: exit(try surveyAll() == 0 ? 0 : 1)
}
