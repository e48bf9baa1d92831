import Doctor
import Testing

@Suite("Checks of the audio server and its period")
struct ServerCheckTests {
    private let laptop = MachineTree.laptop
    private let raspberryPi = MachineTree.raspberryPi
    private let realtime = MachineTree.realtime
    private let container = MachineTree.container

    @Test("audio server: its real-time priority, its driver, and PulseAudio")
    func server() {
        let findings = laptop.findings("audio-server")
        #expect(findings.map(\.state) == [.bad, .notice])
        #expect(findings.first?.finding == "jackd runs without real-time priority.")
        #expect(
            realtime.finding("audio-server")?.finding == "jackd runs with real-time priority 70.")
        #expect(
            raspberryPi.finding("audio-server")?.finding
                == "PipeWire runs with real-time priority 88.")
        #expect(container.finding("audio-server")?.state == .unknown)
        #expect(container.finding("audio-server")?.fix?.commands == [])
        let dummy = realtime.with(["proc/812/cmdline": "jackd\0-R\0-d\0dummy\0"])
        #expect(dummy.findings("audio-server").map(\.state) == [.notice, .good])
    }

    @Test("period: a USB card needs three, another card two")
    func period() {
        let usb = laptop.finding("period")
        #expect(usb?.state == .notice)
        #expect(
            usb?.finding.hasPrefix("Scarlett 2i2 USB plays 2 periods of 128 frames (2.67 ms)")
                == true)
        #expect(realtime.finding("period")?.state == .good)
        #expect(container.finding("period")?.state == .unknown)
    }

    @Test("period against the card: packets of USB, and what jackd was started with")
    func cardLimits() {
        let usb = laptop.finding("period")
        #expect(
            usb?.finding.contains(
                "It supports 44100, 48000, 88200, 96000 Hz, and packets of 125 µs.") == true)
        let list = "proc/asound/card1/stream0"
        let slow = laptop.with([list: "Data packet interval: 1000 us\n"])
        #expect(slow.finding("period")?.state == .notice)
        let parameters = "proc/asound/card1/pcm0p/sub0/hw_params"
        let short = "rate: 48000 (48000/1)\nperiod_size: 32\nbuffer_size: 96\n"
        let bad = slow.with([parameters: short]).finding("period")
        #expect(bad?.state == .bad && bad?.finding.contains("two packets: 96 frames") == true)
        let other = laptop.with([parameters: "rate: 48000\nperiod_size: 192\nbuffer_size: 576\n"])
        #expect(
            other.finding("period")?.finding.hasSuffix("jackd was started with 128 frames.") == true
        )
    }

    @Test("jackd: a full command for the card, with the period and the number of periods it needs")
    func jackdCommands() {
        func commands(_ id: String, _ tree: MachineTree) -> [String] {
            tree.findings(id).flatMap { $0.fix?.commands ?? [] }.filter { $0.hasPrefix("jackd ") }
        }
        #expect(
            commands("audio-server", laptop) == ["jackd -R -d alsa -d hw:1 -r 48000 -p 128 -n 3"])
        #expect(commands("period", laptop) == ["jackd -R -d alsa -d hw:1 -r 48000 -p 128 -n 3"])
        let parameters = "proc/asound/card1/pcm0p/sub0/hw_params"
        let other = laptop.with([parameters: "rate: 48000\nperiod_size: 192\nbuffer_size: 576\n"])
        #expect(commands("period", other) == ["jackd -R -d alsa -d hw:1 -r 48000 -p 192 -n 3"])
        let short = laptop.with([
            "proc/asound/card1/stream0": "Data packet interval: 1000 us\n",
            parameters: "rate: 48000 (48000/1)\nperiod_size: 32\nbuffer_size: 96\n",
        ])
        #expect(commands("period", short) == ["jackd -R -d alsa -d hw:1 -r 48000 -p 128 -n 3"])
        let dummy = laptop.with([
            "proc/812/cmdline": "jackd\0-R\0-d\0dummy\0", parameters: "closed\n",
            "proc/812/task/815/stat": MachineTree.stat(815, "jackd", priority: 10),
        ])
        #expect(
            commands("audio-server", dummy) == ["jackd -R -d alsa -d hw:1 -r 48000 -p 128 -n 3"])
        let noCard = dummy.with(["proc/asound/cards": "--- no soundcards ---\n"])
        #expect(commands("audio-server", noCard) == [])
        // jackdbus has its own settings.
        let bus = laptop.with([
            "proc/812/stat": MachineTree.stat(812, "jackdbus"), "proc/812/cmdline": "jackdbus\0",
        ])
        #expect(commands("audio-server", bus) + commands("period", bus) == [])
        #expect(
            bus.finding("period")?.fix?.commands == [
                "jack_control dps period 128", "jack_control dps nperiods 3",
                "jack_control stop", "jack_control start",
            ])
        // Another program plays on the card.
        let foreign = laptop.with(["proc/812/stat": nil])
        #expect(commands("period", foreign) == ["jackd -R -d alsa -d hw:1 -r 48000 -p 128 -n 3"])
    }

    @Test("versions: a library that does not reach the server is bad, an old one is noticed")
    func versions() {
        #expect(laptop.findings("versions").isEmpty)
        #expect(laptop.using(jack: "1.9.21").finding("versions")?.state == .good)
        #expect(laptop.using(jack: "1.9.9").finding("versions")?.state == .notice)
        #expect(laptop.using(jack: "").finding("versions")?.state == .unknown)
        let wrong = laptop.using(jack: "3.0.0.0", pipeWire: "1.0.5").finding("versions")
        #expect(wrong?.state == .bad && wrong?.finding.hasPrefix("jackd is running") == true)
        #expect(wrong?.fix?.commands == ["stompline run FILE"])
        let unreached = raspberryPi.using(jack: "1.9.22").finding("versions")
        #expect(unreached?.fix?.commands == ["pw-jack stompline run FILE"])
        let reached = raspberryPi.using(jack: "3.0.0.0", pipeWire: "0.3.65").finding("versions")
        #expect(reached?.state == .good)
    }

    @Test("PipeWire: the cycles of its files, the later ones override, and the rate of the card")
    func pipeWire() {
        #expect(laptop.findings("pipewire").isEmpty)
        let usual = raspberryPi.finding("pipewire")
        #expect(usual?.state == .notice)
        #expect(usual?.finding.hasPrefix("PipeWire is set to 1024 frames (21.33 ms)") == true)
        // The cycles that are used now decide, if the library is that of PipeWire.
        let cycle = (frames: 128, sampleRate: 48_000.0)
        let now = raspberryPi.using(jack: "3.0.0.0", pipeWire: "0.3.65", cycle: cycle)
        #expect(now.finding("pipewire")?.state == .good)
        #expect(now.finding("pipewire")?.finding.hasSuffix("cycles of 128 frames.") == true)
        let foreign = raspberryPi.using(jack: "1.9.21", cycle: cycle)
        #expect(foreign.finding("pipewire")?.state == .notice)
        let user = "home/ada/.config/pipewire/pipewire.conf.d/a.conf"
        let short = raspberryPi.with([
            "etc/pipewire/pipewire.conf.d/a.conf":
                "context.properties = { default.clock.quantum = 512 }",
            user: "\"context.properties\": { \"default.clock.quantum\": 128 } # mine",
            "home/ada/.config/pipewire/jack.conf.d/b.conf":
                "jack.properties = { node.latency = 64/48000 }",
        ])
        #expect(short.finding("pipewire")?.state == .good)
        #expect(short.finding("pipewire")?.finding.hasSuffix("ask for 64/48000.") == true)
        let long = raspberryPi.with([
            user: "context.properties = { default.clock.min-quantum = 2048 }"
        ])
        #expect(long.finding("pipewire")?.state == .bad)
        let card = "proc/asound/card0/pcm0p/sub0/hw_params"
        let stream = "rate: 44100 (44100/1)\nperiod_size: 128\nbuffer_size: 32768\n"
        let converted = raspberryPi.with([card: stream]).findings("pipewire")
        #expect(converted.count == 2 && converted.last?.finding.contains("converted") == true)
        let both = "context.properties = { default.clock.allowed-rates = [ 44100 48000 ] }"
        #expect(raspberryPi.with([card: stream, user: both]).findings("pipewire").count == 1)
        let nothing = raspberryPi.with(["usr/share/pipewire/pipewire.conf": nil])
        #expect(nothing.finding("pipewire")?.state == .unknown)
    }
}
