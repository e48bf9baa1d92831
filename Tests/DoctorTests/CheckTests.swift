import Doctor
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

    @Test("clock, share of real-time threads and kind of machine")
    func kernel() {
        let clock = laptop.finding("clock")
        #expect(clock?.state == .bad && clock?.fix?.commands.first?.hasPrefix("echo tsc") == true)
        #expect(raspberryPi.finding("clock")?.state == .good)
        let coarse = realtime.with(["proc/cmdline": "ro highres=off\n"])
        #expect(coarse.findings("clock").map(\.state) == [.bad, .good])
        #expect(laptop.finding("realtime-share")?.state == .good)
        #expect(realtime.finding("realtime-share")?.state == .good)
        let small = laptop.with(["proc/sys/kernel/sched_rt_runtime_us": "500000\n"])
        #expect(small.finding("realtime-share")?.finding == "They may use 50 % of the time.")
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
