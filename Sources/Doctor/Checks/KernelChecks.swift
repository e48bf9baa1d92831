/// Checks how soon the kernel lets a thread with real-time priority run.
enum PreemptionCheck: MachineCheck {
    static let id = "preemption"
    static let title = "kernel preemption"
    static let why = "Until the kernel gives way, the audio thread waits for other work."

    /// The models, the best first, by their names on the command line and in the configuration.
    private static let models = [
        ("full", "CONFIG_PREEMPT=y"), ("lazy", "CONFIG_PREEMPT_LAZY=y"),
        ("voluntary", "CONFIG_PREEMPT_VOLUNTARY=y"), ("none", "CONFIG_PREEMPT_NONE=y"),
    ]

    static func findings(on machine: Machine) -> [Finding] {
        let version = machine.text("/proc/version") ?? ""
        if machine.hasRealtimeKernel {
            return [finding(.good, "The kernel is a real-time kernel (PREEMPT_RT).")]
        }
        switch model(of: machine) {
        case "full": return [finding(.good, "The kernel gives way at once (preempt=full).")]
        case "lazy":
            return [finding(.good, "The kernel gives way to real-time threads (preempt=lazy).")]
        case let model?:
            let isDynamic = version.contains("PREEMPT_DYNAMIC")
            return [
                finding(
                    model == "none" ? .bad : .notice,
                    "The kernel gives way late (preempt=\(model)).",
                    fix: isDynamic
                        ? BootOption(option: "preempt=full").fix(on: machine)
                        : RealtimeKernel.fix(on: machine))
            ]
        case nil:
            return [
                finding(
                    .unknown, "The kernel does not state how soon it gives way.",
                    fix: Finding.Fix("sudo cat /sys/kernel/debug/sched/preempt"))
            ]
        }
    }

    /// Returns the name of the model; `nil` if the machine does not state it.
    private static func model(of machine: Machine) -> String? {
        // Such as `none voluntary (full) lazy`; only root can read it.
        let list = machine.text("/sys/kernel/debug/sched/preempt") ?? ""
        if let chosen = list.split(separator: " ").first(where: { $0.hasPrefix("(") }) {
            return models.first { "(\($0.0))" == chosen }?.0
        }
        if let option = machine.bootOptions.last(where: { $0.hasPrefix("preempt=") }) {
            let name = option.dropFirst("preempt=".count)
            return models.first { $0.0 == name }?.0
        }
        let configuration = machine.kernelConfiguration
        return models.first { configuration.contains($0.1[...]) }?.0
    }
}

extension Machine {
    /// Whether the kernel has PREEMPT_RT; some kernels state it only in their version.
    fileprivate var hasRealtimeKernel: Bool {
        number("/sys/kernel/realtime") == 1
            || text("/proc/version")?.contains("PREEMPT_RT") == true
    }
}

/// Checks whether interrupts run as threads, with the one of the sound card first.
enum InterruptThreadCheck: MachineCheck {
    static let id = "interrupt-threads"
    static let title = "interrupt threads"
    static let why = "Otherwise the interrupts of disks and networks run before those of the card."

    static func findings(on machine: Machine) -> [Finding] {
        let processes = SystemThread.processes(on: machine)
        if processes.isEmpty {
            return [finding(.unknown, "The system does not list its processes.")]
        }
        let threads = processes.filter { $0.name.hasPrefix("irq/") }
        guard machine.hasRealtimeKernel || machine.bootOptions.contains("threadirqs") else {
            return [
                finding(
                    .notice, "Interrupts do not run as threads, so none of them has priority.",
                    fix: BootOption(option: "threadirqs").fix(on: machine))
            ]
        }
        let wanted = Set(CardInterrupts(of: machine).interrupts.map { "irq/\($0.number)-" })
        let own = threads.filter { thread in wanted.contains { thread.name.hasPrefix($0) } }
        guard let lowest = own.map({ $0.priority ?? 0 }).min() else {
            return [
                finding(.good, "Interrupts run as threads. None of them belongs to a sound card.")
            ]
        }
        let others = threads.filter { thread in !own.contains { $0.id == thread.id } }
        let highest = others.compactMap(\.priority).max() ?? 0
        if lowest > highest {
            return [finding(.good, "The interrupt of the sound card runs before all others.")]
        }
        return [
            finding(
                .notice,
                "The interrupt of the sound card has priority \(lowest), another one \(highest).",
                fix: Finding.Fix(
                    commands: own.map { "sudo chrt -f -p 90 \($0.id)" },
                    note: "The setting ends with a restart; the package rtirq repeats it."))
        ]
    }
}

/// Checks the clock with which the kernel measures time.
enum ClockCheck: MachineCheck {
    static let id = "clock"
    static let title = "clock and timers"
    static let why = "The server reads the clock in every period, and timers wake its threads."

    private static let slowSources = ["hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit"]

    static func findings(on machine: Machine) -> [Finding] {
        var found: [Finding] = []
        let folder = "/sys/devices/system/clocksource/clocksource0"
        if let source = machine.text("\(folder)/current_clocksource") {
            let others =
                machine.text("\(folder)/available_clocksource")?.split(separator: " ") ?? []
            if !slowSources.contains(source) {
                found.append(finding(.good, "The clock is \(source), which is fast to read."))
            } else {
                let fix =
                    others.contains("tsc")
                    ? Finding.Fix(
                        "echo tsc | sudo tee \\", "  \(folder)/current_clocksource",
                        note: "The setting ends with a restart.")
                    : Finding.Fix(
                        "sudo dmesg | grep -i clocksource",
                        note: "The log of the kernel states the reason.")
                found.append(
                    finding(.bad, "The clock is \(source), which is slow to read.", fix: fix))
            }
        } else {
            found.append(finding(.unknown, "The kernel does not state its clock."))
        }
        if machine.bootOptions.contains("highres=off") {
            found.append(
                finding(
                    .bad, "Timers are coarse: the kernel was started with highres=off.",
                    fix: BootOption(option: "highres=off").removal(on: machine)))
        }
        return found
    }
}

/// Checks the frequency of the kernel's tick, and whether timers depend on it.
enum TimerCheck: MachineCheck {
    static let id = "timer-frequency"
    static let title = "frequency of the kernel's tick"
    static let why =
        "At each tick the kernel shares the processor again, and coarse timers wake threads."

    static func findings(on machine: Machine) -> [Finding] {
        let lines = machine.kernelConfiguration
        let key = "CONFIG_HZ="
        let line = lines.first { $0.hasPrefix(key) }
        guard let frequency = line.flatMap({ Int($0.dropFirst(key.count)) }), frequency > 0 else {
            return [
                finding(
                    .unknown, "The configuration of the kernel was not found.",
                    fix: Finding.Fix("grep CONFIG_HZ= /boot/config-$(uname -r)"))
            ]
        }
        let tick = Amount.text(seconds: 1 / Double(frequency))
        let kernel = RealtimeKernel.fix(on: machine)
        if !lines.contains("CONFIG_HIGH_RES_TIMERS=y") {
            return [
                finding(
                    .bad, "Timers wake threads at ticks only, every \(tick) (\(frequency) Hz).",
                    fix: kernel)
            ]
        }
        if frequency < 250 {
            return [
                finding(
                    .notice,
                    "The tick has \(frequency) Hz, so ordinary threads, such as those that read files, wait "
                        + "for up to \(tick).",
                    fix: kernel)
            ]
        }
        return [
            finding(
                .good,
                "The tick has \(frequency) Hz, and timers are finer than its ticks of \(tick).")
        ]
    }
}

/// Checks whether the machine is a virtual one, or shares its processors by a quota.
enum HostCheck: MachineCheck {
    static let id = "host"
    static let title = "kind of machine"
    static let why = "A host or a quota can stop the whole machine for milliseconds."

    static func findings(on machine: Machine) -> [Finding] {
        guard let processor = machine.text("/proc/cpuinfo") else {
            return [finding(.unknown, "The system does not describe its processor.")]
        }
        var found: [Finding] = []
        if let quota = ProcessorQuota(of: machine) {
            found.append(finding(.bad, quota.text, fix: quota.fix))
        }
        if ["/.dockerenv", "/run/.containerenv"].contains(where: machine.exists) {
            found.append(
                finding(
                    .notice, "This is a container, which has only the rights that it was given.",
                    fix: Finding.Fix(note: "Run Stompline on the system itself.")))
        }
        let flags = processor.split(separator: "\n").first { $0.hasPrefix("flags") }
        if flags?.split(separator: " ").contains("hypervisor") == true {
            found.append(
                finding(
                    .notice, "This is a virtual machine.",
                    fix: Finding.Fix(note: "Play on a real machine.")))
        }
        return found.isEmpty
            ? [finding(.good, "Neither a virtual machine nor a container was found.")] : found
    }
}
