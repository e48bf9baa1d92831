internal import Glibc
internal import SessionCore
internal import Terminal
import Platform

/// Shows the terminal view of a fake session until `q` or SIGTERM.
///
/// With the argument `crash`, the key `m` crashes the program.
let control = RehearsalControl(crashes: CommandLine.arguments.contains("crash"))
let overview = SessionOverview(
    name: "Friday", scenes: ["verse", "chorus", "合唱"], songs: ["Opener", "Ballad"],
    inputs: [
        SessionOverview.Input(port: "mic_1", reference: "mic:1"),
        SessionOverview.Input(port: "mic_2", reference: "mic:2"),
    ])
let writer = OutputWriter(STDERR_FILENO) { lines, _ in "\(lines) dropped" }
if let writer, TerminalView.isPossible(on: writer) {
    let end = Ending()
    let view = TerminalView(overview, control: control, output: writer) { end.come() }
    control.print = { line in writer.put(line) }
    view.begin()
    control.play()
    end.wait()
    view.end()
    writer.put("over")
    writer.flush(untilNanoseconds: UInt64((MonotonicTime.nowSeconds + 10) * 1e9))
} else {
    say("no terminal")
}
