internal import Glibc
internal import Terminal

/// Shows the terminal view before a desk that is none, until `q` or SIGTERM; `crash` as its argument has the key `m` end it
/// by a crash.
let desk = RehearsalDesk(crashes: CommandLine.arguments.contains("crash"))
let programme = Programme(
    name: "Friday", scenes: ["verse", "chorus", "合唱"], songs: ["Opener", "Ballad"],
    inputs: [
        Programme.Input(port: "mic_1", reference: "mic:1"),
        Programme.Input(port: "mic_2", reference: "mic:2"),
    ])
if TerminalView.isPossible {
    let end = Ending()
    let view = TerminalView(programme, desk: desk) { end.come() }
    desk.print = { line in view.put { say(line) } }
    view.begin()
    desk.play()
    end.wait()
    view.end()
    say("over")
} else {
    say("no terminal")
}
