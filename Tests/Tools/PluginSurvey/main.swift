// Compares the output of every installed plugin in the engine and in the bare host.
//
// Each plugin runs in a separate process and gets one line of output. The survey fails if a plugin
// differs or crashes and is not a known exception.
//
//   plugin-survey              all plugins
//   plugin-survey --isolated   all plugins, each in an isolated, sandboxed process
//   plugin-survey URI BLOCKS   one plugin
//   plugin-survey --isolated URI BLOCKS   one plugin, in an isolated, sandboxed process
//   plugin-survey --list       their URIs
//   plugin-survey --play URI BLOCKS   one plugin only in the engine, for RealtimeSanitizer

internal import Glibc
internal import LV2
internal import PluginComparison
internal import Processing

/// The exit status of the process that found a difference.
let differs: Int32 = 3

/// Compares one plugin in its own process and prints its line.
func survey(_ uri: String, blocks: Int, isIsolated: Bool) -> Int32 {
    let world = PluginWorld(hostProgram: ChildProgram(product: "stompline").path)
    var refused: [String] = []
    let comparison = Comparison(
        of: uri, in: world, blocks: blocks, isolation: isIsolated ? .sameCycle : .none
    ) { refused.append($0) }
    if !refused.isEmpty { print("\(uri)\tcalls refused\t\(refused.joined(separator: ", "))") }
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

/// Surveys all plugins; returns the number of plugins with unknown differences or crashes.
func surveyAll(isIsolated: Bool) throws -> Int {
    let own = ChildProgram(path: "/proc/self/exe")
    let mode = isIsolated ? ["--isolated"] : []
    var badCount = 0
    for plugin in try PluginWorld().summaries() {
        let end = own.run(mode + [plugin.uri, "400"])
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

let isIsolated = CommandLine.arguments.dropFirst().first == "--isolated"
let arguments = Array(CommandLine.arguments.dropFirst(isIsolated ? 2 : 1))
switch arguments.count {
case 3:
    let blocks = Int(arguments[2]) ?? 400
    let refusal = Comparison.play(arguments[1], in: PluginWorld(), blocks: blocks)
    print(refusal.map { "refused: \($0)" } ?? "plays")
case 2: exit(survey(arguments[0], blocks: Int(arguments[1]) ?? 400, isIsolated: isIsolated))
case 1:
    for plugin in try PluginWorld().summaries() {
        print(plugin.uri)
    }
default: exit(try surveyAll(isIsolated: isIsolated) == 0 ? 0 : 1)
}
