/// Checks the cycles and the sample rate that the configuration of PipeWire states, and the cycles
/// that it uses now.
enum PipeWireCheck: MachineCheck {
    static let id = "pipewire"
    static let title = "cycles of PipeWire"
    static let why =
        "One cycle, which PipeWire calls quantum, is the shortest delay of everything you play."

    /// The longest cycle that a musician hardly notices, in seconds: 256 frames at 48 kHz.
    private static let longest = 256.0 / 48_000

    static func findings(on machine: Machine) -> [Finding] {
        let isRunning = SystemThread.processes(on: machine).contains { $0.name == "pipewire" }
        guard isRunning else { return [] }
        let present = Finding.Fix("pw-metadata -n settings")
        guard let settings = PipeWireSettings(of: machine) else {
            return [
                finding(.unknown, "The configuration of PipeWire was not found.", fix: present)
            ]
        }
        // Another library says nothing about this server.
        let used = machine.library.flatMap { $0.pipeWireVersion == nil ? nil : $0.cycle }
        return [cycle(settings, now: used)] + resampling(settings, machine)
    }

    /// Returns the finding about the frames of a cycle.
    private static func cycle(
        _ settings: PipeWireSettings, now present: (frames: Int, sampleRate: Double)?
    ) -> Finding {
        func time(_ frames: Int) -> String {
            "\(frames) frames (\(Amount.text(seconds: seconds(frames))))"
        }
        func seconds(_ frames: Int) -> Double { Double(frames) / Double(settings.rate) }
        let wish = settings.latency.map { " Programs for JACK ask for \($0)." } ?? ""
        if seconds(settings.least) > longest {
            return finding(
                .bad, "A program gets no fewer than \(time(settings.least)).\(wish)",
                fix: fragment("default.clock.min-quantum = 64"))
        }
        let text =
            "PipeWire is set to \(time(settings.quantum)) at \(settings.rate) Hz, unless a program "
            + "asks for other cycles; the minimum is \(settings.least).\(wish)"
            + (present.map { " Now it uses cycles of \($0.frames) frames." } ?? "")
        let used =
            present.map { Double($0.frames) / $0.sampleRate } ?? seconds(settings.quantum)
        if used <= longest { return finding(.good, text) }
        return finding(
            .notice, text,
            fix: Finding.Fix(
                "stompline run FILE --period 128",
                note: "The command pw-top shows the cycles that are used at present."))
    }

    /// Returns the finding about cards whose rate PipeWire must convert.
    private static func resampling(
        _ settings: PipeWireSettings, _ machine: Machine
    ) -> [Finding] {
        let cards = Card.all(on: machine)
        let odd = CardStream.running(on: machine).filter { !settings.rates.contains($0.rate) }
        return odd.prefix(1).map { stream in
            let name = cards.first { $0.number == stream.card }?.name ?? "Card \(stream.card)"
            return finding(
                .notice,
                "PipeWire computes at \(settings.rate) Hz and \(name) plays at \(stream.rate) Hz, "
                    + "so the sound is converted, which adds latency.",
                fix: fragment("default.clock.rate = \(stream.rate)"))
        }
    }

    /// Returns the commands that write a setting for this user.
    private static func fragment(_ setting: String) -> Finding.Fix {
        let folder = "~/.config/pipewire/pipewire.conf.d"
        return Finding.Fix(
            "mkdir -p \(folder)", "echo 'context.properties = { \(setting) }' |",
            "  tee \(folder)/stage.conf", "systemctl --user restart pipewire")
    }
}
