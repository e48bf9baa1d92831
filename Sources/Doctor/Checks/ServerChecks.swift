/// Checks the JACK server or PipeWire that is running.
enum AudioServerCheck: MachineCheck {
    static let id = "audio-server"
    static let title = "audio server"
    static let why = "The server calls Stompline; a late server makes every program late."

    private static let servers = ["jackd", "jackdbus", "pipewire"]

    static func findings(on machine: Machine) -> [Finding] {
        let all = SystemThread.processes(on: machine)
        if all.isEmpty { return [finding(.unknown, "The system does not list its processes.")] }
        let running = all.filter { servers.contains($0.name) }
        let blockers = all.filter { $0.name == "pulseaudio" }
        if running.isEmpty {
            // Without a card, no command starts a server that is worth an examination.
            let commands = JackdCommand(on: machine).map { [$0.text, "stompline doctor"] } ?? []
            return [
                finding(
                    .unknown, "No JACK server and no PipeWire is running.",
                    fix: Finding.Fix(commands: commands, note: "Start the server first."))
            ]
        }
        return running.flatMap { findings(for: $0, on: machine) }
            + blockers.prefix(1).map { _ in
                finding(
                    .notice, "PulseAudio is running too, and can occupy the sound card.",
                    fix: Finding.Fix("systemctl --user stop pulseaudio.socket pulseaudio.service"))
            }
    }

    private static func findings(for server: SystemThread, on machine: Machine) -> [Finding] {
        let name = server.name == "pipewire" ? "PipeWire" : server.name
        let command = machine.text("/proc/\(server.id)/cmdline")?.split(separator: "\0") ?? []
        let priority = server.threads(on: machine).compactMap(\.priority).max()
        var found: [Finding] = []
        if let priority {
            found.append(
                finding(
                    .good, "\(name) runs with real-time priority \(priority)."))
        } else {
            found.append(
                finding(
                    .bad, "\(name) runs without real-time priority.",
                    fix: realtime(for: server.name, on: machine)))
        }
        if isDummy(command) {
            found.append(
                finding(
                    .notice, "jackd plays to no sound card: it uses the dummy driver.",
                    fix: Finding.Fix(
                        restartingWith: JackdCommand(on: machine),
                        note: "Start jackd with -d alsa and the name of the card.")))
        }
        return found
    }

    /// Returns the remedy for a server without real-time priority.
    private static func realtime(for server: String, on machine: Machine) -> Finding.Fix {
        switch server {
        case "pipewire":
            Finding.Fix(
                "systemctl --user restart pipewire",
                note: "It needs the permission for real-time priority first.")
        case "jackdbus":
            Finding.Fix(
                "jack_control eps realtime True", "jack_control stop", "jack_control start",
                note: "It needs the permission for real-time priority first.")
        default:
            Finding.Fix(
                restartingWith: JackdCommand(on: machine),
                note: "Start jackd with -R, after this user may use real-time priority.")
        }
    }

    /// Returns whether a command line of jackd selects the dummy driver.
    private static func isDummy(_ command: [Substring]) -> Bool {
        command.contains { $0 == "-ddummy" }
            || zip(command, command.dropFirst()).contains { $0 == "-d" && $1 == "dummy" }
    }
}
