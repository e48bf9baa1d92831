import Doctor
import Glibc
import TestSignals
import Testing

@Suite("Checks of the machine")
struct CheckTests {
    private let laptop = MachineTree.laptop
    private let raspberryPi = MachineTree.raspberryPi
    private let realtime = MachineTree.realtime
    private let container = MachineTree.container

    @Test("real-time priority: the group that grants it is named, and how to join it")
    func realtimePermission() {
        let finding = laptop.finding("realtime-permission")
        #expect(finding?.state == .bad)
        #expect(finding?.finding.contains("The group audio grants it") == true)
        #expect(finding?.fix?.commands == ["sudo usermod -aG audio \"$USER\""])
        let without = laptop.with(["etc/security/limits.d/audio.conf": nil])
        #expect(without.finding("realtime-permission")?.fix?.commands.count == 3)
        let member = laptop.with(["etc/group": "audio:x:29:pulse,ada\n"])
        #expect(
            member.finding("realtime-permission")?.finding.contains("next login") == true)
        #expect(member.finding("realtime-permission")?.fix?.commands == [])
        let inside = laptop.with(["etc/group": "audio:x:24:\n"])
        #expect(inside.finding("realtime-permission")?.finding.contains("this session") == true)
        #expect(raspberryPi.finding("realtime-permission")?.state == .good)
        let root = laptop.with(["proc/self/status": "Uid:\t0\t0\nCapEff:\t000001ffffffffff\n"])
        #expect(root.finding("realtime-permission")?.state == .good)
        #expect(root.finding("locked-memory")?.state == .good)
    }

    @Test("locked memory: 8 MiB are too little, 4 GiB are enough")
    func lockedMemory() {
        #expect(laptop.finding("locked-memory")?.state == .bad)
        #expect(
            laptop.finding("locked-memory")?.finding.hasPrefix("This user may lock 8 MiB") == true)
        #expect(raspberryPi.finding("locked-memory")?.state == .good)
        #expect(realtime.finding("locked-memory")?.state == .good)
    }

    @Test("preemption: from the running kernel, the boot options or the configuration")
    func preemption() {
        #expect(laptop.finding("preemption")?.state == .notice)
        #expect(laptop.finding("preemption")?.fix?.commands.last == "sudo update-grub")
        #expect(raspberryPi.finding("preemption")?.state == .good)
        #expect(realtime.finding("preemption")?.state == .good)
        #expect(container.finding("preemption")?.state == .unknown)
        let running = laptop.with(["sys/kernel/debug/sched/preempt": "(none) voluntary full\n"])
        #expect(running.finding("preemption")?.state == .bad)
        let booted = laptop.with(["proc/cmdline": "ro preempt=full\n"])
        #expect(booted.finding("preemption")?.state == .good)
        let fixed = laptop.with(["proc/version": "Linux version 5.4.0\n"])
        #expect(fixed.finding("preemption")?.fix?.commands == [])
        for (system, command) in [
            ("ID=debian\n", "sudo apt install linux-image-rt-$(dpkg --print-architecture)"),
            ("ID=neon\nID_LIKE=\"ubuntu debian\"\n", "sudo apt install linux-lowlatency"),
        ] {
            let known = fixed.with(["etc/os-release": system])
            #expect(known.finding("preemption")?.fix?.commands == [command])
        }
    }

    @Test("boot options: the commands are those of the distribution")
    func bootOptions() {
        let edit =
            "sudo sed -i 's/^GRUB_CMDLINE_LINUX=\"/&preempt=full /' /etc/default/grub"
        for (system, commands) in [
            ("ID=debian\n", [edit, "sudo update-grub"]),
            ("ID=fedora\n", ["sudo grubby --update-kernel=ALL --args=\"preempt=full\""]),
            ("ID=manjaro\nID_LIKE=arch\n", [edit, "sudo grub-mkconfig -o /boot/grub/grub.cfg"]),
            (
                "ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n",
                [edit, "sudo grub2-mkconfig -o /boot/grub2/grub.cfg"]
            ),
            ("ID=unheard-of\n", [edit, "sudo update-grub"]),
        ] {
            let known = laptop.with(["etc/os-release": system])
            #expect(known.finding("preemption")?.fix?.commands == commands)
        }
    }

    @Test("governor: powersave is bad if it saves power, performance is good")
    func governor() {
        #expect(laptop.finding("governor")?.state == .bad)
        let policy = "sys/devices/system/cpu/cpufreq/policy0"
        let balanced = laptop.with([
            "\(policy)/energy_performance_preference": "balance_performance\n"
        ])
        #expect(balanced.finding("governor")?.state == .notice)
        let fixed = laptop.with(["\(policy)/scaling_driver": "acpi-cpufreq\n"])
        #expect(fixed.finding("governor")?.finding.contains("lowest frequency") == true)
        #expect(raspberryPi.finding("governor")?.state == .notice)
        #expect(realtime.finding("governor")?.state == .good)
        #expect(container.finding("governor")?.state == .unknown)
    }

    @Test("turbo and idle states: with the files that switch them off")
    func speed() {
        #expect(laptop.finding("turbo")?.state == .notice)
        #expect(realtime.finding("turbo")?.state == .good)
        #expect(container.finding("turbo")?.state == .unknown)
        let idle = laptop.finding("idle-states")
        #expect(idle?.state == .bad && idle?.finding.contains("C10, needs 890 µs") == true)
        #expect(idle?.fix?.commands.last?.hasSuffix("cpu*/cpuidle/state2/disable") == true)
        #expect(realtime.finding("idle-states")?.finding.contains("C1, needs 2 µs") == true)
    }

    @Test("heat: counters, the distance to the limit, and the bits of a Raspberry Pi")
    func heat() {
        let states = laptop.findings("heat").map(\.state)
        #expect(states == [.notice, .good])
        let hot = raspberryPi.findings("heat")
        #expect(hot.map(\.state) == [.bad, .bad])
        #expect(hot.first?.finding.contains("power supply is too weak") == true)
        let earlier = raspberryPi.with([
            "sys/devices/platform/soc/soc:firmware/get_throttled": "0x40000\n"
        ])
        #expect(earlier.findings("heat").map(\.state) == [.bad, .notice])
        #expect(container.finding("heat")?.state == .unknown)
    }

    @Test("interrupts: shared ones are named, and threads of the card come first")
    func interrupts() {
        let shared = laptop.finding("card-interrupt")
        #expect(shared?.state == .notice)
        #expect(shared?.finding == "Interrupt 16 is shared: xhci_hcd:usb1, i801_smbus.")
        #expect(realtime.finding("card-interrupt")?.state == .good)
        #expect(container.finding("card-interrupt")?.state == .unknown)
        #expect(laptop.finding("interrupt-threads")?.state == .notice)
        let pi = raspberryPi.finding("interrupt-threads")?.fix?.commands
        #expect(pi == ["sudo sed -i '1s/$/ threadirqs/' /boot/firmware/cmdline.txt"])
        #expect(realtime.finding("interrupt-threads")?.state == .good)
        let equal = realtime.with([
            "proc/40/stat": MachineTree.stat(40, "irq/17-snd_hdsp", priority: 50)
        ])
        let finding = equal.finding("interrupt-threads")
        #expect(finding?.state == .notice)
        #expect(finding?.fix?.commands == ["sudo chrt -f -p 90 40"])
    }

    @Test("USB: devices on the bus of the card, without hubs, and its power saving")
    func usb() {
        let findings = laptop.findings("usb")
        #expect(findings.count == 2 && findings.allSatisfy { $0.state == .notice })
        #expect(
            findings.first?.finding == "Scarlett 2i2 USB shares its bus with Integrated Camera.")
        #expect(
            findings.last?.fix?.commands
                == ["echo on | sudo tee /sys/bus/usb/devices/1-2/power/control"])
        #expect(realtime.findings("usb").isEmpty)
    }

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
    }

    @Test("interrupt threads: a kernel that states PREEMPT_RT only in its version has them")
    func realtimeVersion() {
        let tree = realtime.with(["sys/kernel/realtime": nil])
        #expect(tree.finding("preemption")?.state == .good)
        #expect(tree.findings("interrupt-threads").map(\.state) == [.good])
    }

    @Test("versions: a library that does not reach the server is bad, an old one is noticed")
    func versions() {
        #expect(laptop.findings("versions").isEmpty)
        #expect(laptop.using(jack: "1.9.21").finding("versions")?.state == .good)
        #expect(laptop.using(jack: "1.9.9").finding("versions")?.state == .notice)
        #expect(laptop.using(jack: "").finding("versions")?.state == .unknown)
        let wrong = laptop.using(jack: "3.0.0.0", pipeWire: "1.0.5").finding("versions")
        #expect(wrong?.state == .bad && wrong?.finding.hasPrefix("jackd is running") == true)
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

    @Test("frequency of the tick: coarse timers are bad, a low frequency is noticed")
    func tick() {
        #expect(laptop.finding("timer-frequency")?.state == .good)
        #expect(container.finding("timer-frequency")?.state == .unknown)
        let file = "boot/config-6.1.0-18-amd64"
        let slow = laptop.with([file: "CONFIG_HZ=100\nCONFIG_HIGH_RES_TIMERS=y\n"])
        #expect(slow.finding("timer-frequency")?.state == .notice)
        let coarse = laptop.with([file: "CONFIG_HZ=1000\n"])
        #expect(coarse.finding("timer-frequency")?.finding.contains("every 1 ms") == true)
        #expect(coarse.finding("timer-frequency")?.state == .bad)
    }

    @Test("affinity: busier interrupts on the processor of the card's, and irqbalance")
    func affinity() {
        let found = laptop.findings("interrupt-affinity")
        #expect(found.map(\.state) == [.notice, .good])
        #expect(
            found.first?.finding
                == "Processor 1 serves interrupt 16 of the sound card, and interrupts that occur "
                + "more often: nvme0q1.")
        #expect(found.first?.fix?.commands.first == "echo 0 |")
        let moved = laptop.with(["proc/irq/130/effective_affinity_list": "0\n"])
        #expect(moved.findings("interrupt-affinity").map(\.state) == [.good, .good])
        let balanced = moved.with(["proc/77/stat": MachineTree.stat(77, "irqbalance")])
        #expect(balanced.findings("interrupt-affinity").map(\.state) == [.notice, .good, .good])
        let hidden = laptop.with([
            "proc/irq/16/smp_affinity_list": nil, "proc/irq/16/effective_affinity_list": nil,
        ])
        #expect(hidden.findings("interrupt-affinity").map(\.state) == [.unknown, .good])
        #expect(realtime.finding("interrupt-affinity")?.state == .good)
    }

    @Test("clock, share of real-time threads and kind of machine")
    func kernel() {
        let clock = laptop.finding("clock")
        #expect(clock?.state == .bad && clock?.fix?.commands.first?.hasPrefix("echo tsc") == true)
        #expect(raspberryPi.finding("clock")?.state == .good)
        let coarse = realtime.with(["proc/cmdline": "ro highres=off\n"])
        #expect(coarse.findings("clock").map(\.state) == [.bad, .good])
        let booted = laptop.with(["proc/cmdline": "ro highres=off\n"])
        #expect(
            booted.findings("clock").last?.fix?.commands == [
                "sudo sed -i '/^GRUB_CMDLINE_LINUX/s/ *highres=off//' /etc/default/grub",
                "sudo update-grub",
            ])
        let fedora = booted.with(["etc/os-release": "ID=\"rocky\"\nID_LIKE=\"rhel fedora\"\n"])
        #expect(
            fedora.findings("clock").last?.fix?.commands == [
                "sudo grubby --update-kernel=ALL --remove-args=\"highres=off\""
            ])
        #expect(laptop.finding("realtime-share")?.state == .good)
        #expect(realtime.finding("realtime-share")?.state == .good)
        let small = laptop.with(["proc/sys/kernel/sched_rt_runtime_us": "500000\n"])
        #expect(
            small.finding("realtime-share")?.finding
                == "Real-time threads may use 50 % of the time.")
        #expect(small.finding("realtime-share")?.state == .bad)
        #expect(container.findings("host").map(\.state) == [.bad, .notice, .notice])
        #expect(
            container.findings("host").first?.finding
                == "The process may run 50 ms in every 100 ms.")
        #expect(realtime.finding("host")?.state == .good)
    }

    @Test("swap and memory: swap on a disk is noticed, compressed memory is not")
    func memory() {
        let swap = laptop.finding("swap")
        #expect(swap?.state == .notice && swap?.finding.contains("100 MiB are used") == true)
        #expect(raspberryPi.findings("swap").map(\.state) == [.bad, .good])
        #expect(realtime.finding("swap")?.state == .good)
        #expect(MachineTree.empty.finding("swap")?.state == .unknown)
    }

    @Test("disk of the takes: its kind decides, and the nearest mount counts")
    func disk() {
        #expect(laptop.finding("takes-disk")?.state == .good)
        let network = laptop.findings("takes-disk", takes: "/home/ada/net music/takes")
        #expect(network.map(\.state) == [.bad])
        #expect(network.first?.finding.contains("another machine (nfs4)") == true)
        #expect(raspberryPi.finding("takes-disk")?.finding.contains("memory card") == true)
        #expect(container.finding("takes-disk")?.state == .unknown)
        let rotating = laptop.with(["sys/devices/pci0000:00/nvme0n1/queue/rotational": "1\n"])
        #expect(rotating.finding("takes-disk")?.state == .notice)
        // The scratch folder's real disk has free space.
        #expect(laptop.findings("takes-disk", takes: "/etc").count == 2)
    }

    @Test("folder of the takes: it must exist, and this user must be able to write into it")
    func takesFolder() {
        let folder = ScratchFolder()
        func findings(_ path: String) -> [Finding] {
            Examination(of: Machine(takes: path), wakeups: nil).findings.filter {
                $0.id == "takes-disk"
            }
        }
        let missing = findings(folder.file("no takes"))
        #expect(missing.map(\.finding) == ["There is no folder \(folder.file("no takes"))."])
        #expect(missing.map(\.state) == [.bad])
        #expect(missing.first?.fix?.commands == ["mkdir -p '\(folder.file("no takes"))'"])
        let file = findings(folder.write("", to: "file"))
        #expect(file.map(\.finding) == ["\(folder.file("file")) is not a folder."])
        let refused = "This user cannot write into \(folder.path)."
        #expect(!findings(folder.path).contains { $0.finding == refused })
        chmod(folder.path, 0o500)
        defer { chmod(folder.path, 0o700) }
        // Root can write into every folder.
        #expect(findings(folder.path).contains { $0.finding == refused } == (geteuid() != 0))
    }

    @Test("radios: Bluetooth, Wi-Fi and its power saving")
    func radios() {
        let on = laptop.findings("radio")
        #expect(on.map(\.state) == [.notice, .notice, .notice])
        #expect(on.last?.fix?.commands == ["sudo iw dev wlp2s0 set power_save off"])
        let file = "etc/NetworkManager/conf.d/default-wifi-powersave-on.conf"
        #expect(laptop.with([file: nil]).findings("radio").map(\.state).contains(.unknown))
        #expect(laptop.with([file: "wifi.powersave=2"]).findings("radio").last?.state == .good)
        #expect(realtime.finding("radio")?.state == .good)
    }
}
