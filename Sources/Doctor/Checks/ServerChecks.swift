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
            return [
                finding(
                    .unknown, "No JACK server and no PipeWire is running.",
                    fix: Finding.Fix(note: "Start it, then run stompline doctor again."))
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
            let fix =
                server.name == "pipewire"
                ? Finding.Fix(
                    "systemctl --user restart pipewire",
                    note: "It needs the permission for real-time priority first.")
                : Finding.Fix(
                    note: "Start jackd with -R, after this user may use real-time priority.")
            found.append(finding(.bad, "\(name) runs without real-time priority.", fix: fix))
        }
        if isDummy(command) {
            found.append(
                finding(
                    .notice, "jackd plays to no sound card: it uses the dummy driver.",
                    fix: Finding.Fix(note: "Start jackd with -d alsa and the name of the card.")))
        }
        return found
    }

    /// Returns whether a command line of jackd selects the dummy driver.
    private static func isDummy(_ command: [Substring]) -> Bool {
        command.contains { $0 == "-ddummy" }
            || zip(command, command.dropFirst()).contains { $0 == "-d" && $1 == "dummy" }
    }
}

/// Checks the periods of the sound cards that are playing.
enum PeriodCheck: MachineCheck {
    static let id = "period"
    static let title = "period of the sound card"
    static let why =
        "A period must suit the card: USB carries sound in packets of 1 ms or 0.125 ms."

    static func findings(on machine: Machine) -> [Finding] {
        guard machine.exists("/proc/asound") else {
            return [finding(.unknown, "The kernel has no sound cards.")]
        }
        let streams = CardStream.running(on: machine)
        if streams.isEmpty {
            return [
                finding(
                    .unknown, "No sound card is playing, so there is no period to check.",
                    fix: Finding.Fix(
                        note: "Start the audio server, then run stompline doctor again."))
            ]
        }
        let cards = Card.all(on: machine)
        let isPipeWire = SystemThread.processes(on: machine).contains { $0.name == "pipewire" }
        return streams.map { stream in
            let card = cards.first { $0.number == stream.card }
            return finding(for: stream, of: card, isPipeWire: isPipeWire)
        }
    }

    private static func finding(
        for stream: CardStream, of card: Card?, isPipeWire: Bool
    ) -> Finding {
        let name = card?.name ?? "Card \(stream.card)"
        let count = stream.bufferFrames / stream.periodFrames
        let text =
            "\(name) plays \(count) periods of \(stream.periodFrames) frames "
            + "(\(Amount.text(seconds: stream.period))) at \(stream.rate) Hz."
        // PipeWire wakes by a timer and uses a part of the buffer only.
        if isPipeWire || card?.usbDevice == nil || count >= 3 { return finding(.good, text) }
        return finding(
            .notice, text + " A USB card needs three periods.",
            fix: Finding.Fix(note: "Start jackd with -n 3 after -d alsa."))
    }
}
