import Doctor
import Testing

@Suite("Checks of processors, interrupts, USB and radios")
struct HardwareCheckTests {
    private let laptop = MachineTree.laptop
    private let raspberryPi = MachineTree.raspberryPi
    private let realtime = MachineTree.realtime
    private let container = MachineTree.container

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

    @Test("interrupt threads: a kernel that states PREEMPT_RT only in its version has them")
    func realtimeVersion() {
        let tree = realtime.with(["sys/kernel/realtime": nil])
        #expect(tree.finding("preemption")?.state == .good)
        #expect(tree.findings("interrupt-threads").map(\.state) == [.good])
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
