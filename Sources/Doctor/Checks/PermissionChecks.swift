/// Checks whether this user may run threads with real-time priority.
enum RealtimePermissionCheck: MachineCheck {
    static let id = "realtime-permission"
    static let title = "real-time priority"
    static let why = "Without it, every other program can delay the sound."

    static func findings(on machine: Machine) -> [Finding] {
        if ProcessRights(of: machine).has(.realtime) {
            return [finding(.good, "This user may use every real-time priority.")]
        }
        let lines = machine.lines("/proc/self/limits")
        guard let limit = ProcessLimit("Max realtime priority", in: lines) else {
            return [finding(.unknown, "The system does not state the limit of this user.")]
        }
        switch limit.soft ?? 99 {
        case 0:
            if limit.hard ?? 99 > 0 {
                return [
                    finding(
                        .bad, "The shell has set the limit of real-time priority to 0.",
                        fix: Finding.Fix("ulimit -r \(limit.hard ?? 99)"))
                ]
            }
            let remedy = LimitRemedy(item: "rtprio", value: "95", on: machine)
            return [
                finding(
                    .bad, "This user may not use real-time priority. \(remedy.explanation)",
                    fix: remedy.fix)
            ]
        case let highest:
            return [finding(.good, "This user may use priorities up to \(highest).")]
        }
    }
}

/// Checks how much memory this user may lock.
enum LockedMemoryCheck: MachineCheck {
    static let id = "locked-memory"
    static let title = "locked memory"
    static let why = "Memory that is not locked can be absent when the audio thread needs it."

    /// A limit that every pipeline fits in.
    private static let enoughBytes = 1 << 30
    /// The default of the kernel is 8 MiB, of older ones 64 KiB.
    private static let littleBytes = 64 << 20

    static func findings(on machine: Machine) -> [Finding] {
        if ProcessRights(of: machine).has(.lockMemory) {
            return [finding(.good, "This user may lock all memory.")]
        }
        let lines = machine.lines("/proc/self/limits")
        guard let limit = ProcessLimit("Max locked memory", in: lines) else {
            return [finding(.unknown, "The system does not state the limit of this user.")]
        }
        guard let bytes = limit.soft else {
            return [finding(.good, "This user may lock all memory.")]
        }
        let text = "This user may lock \(Amount.text(bytes: bytes))."
        if bytes >= enoughBytes { return [finding(.good, text)] }
        let remedy = LimitRemedy(item: "memlock", value: "unlimited", on: machine)
        return [
            finding(
                bytes <= littleBytes ? .bad : .notice, "\(text) \(remedy.explanation)",
                fix: remedy.fix)
        ]
    }
}

/// Checks the share of time that real-time threads may use.
enum RealtimeShareCheck: MachineCheck {
    static let id = "realtime-share"
    static let title = "share of real-time threads"
    static let why =
        "When the share is used up, the kernel stops all real-time threads for a while."

    /// The kernel's default, in percent.
    private static let usualPercent = 95

    static func findings(on machine: Machine) -> [Finding] {
        let folder = "/proc/sys/kernel"
        guard let runtime = machine.number("\(folder)/sched_rt_runtime_us"),
            let period = machine.number("\(folder)/sched_rt_period_us"), period > 0
        else { return [finding(.unknown, "The kernel does not state the share.")] }
        if runtime < 0 { return [finding(.good, "Real-time threads may use all of the time.")] }
        let share = min(Double(runtime) / Double(period), 1)
        let percent = Int((share * 100).rounded())  // checked: at most 100
        let text = "Real-time threads may use \(percent) % of the time."
        if percent >= usualPercent { return [finding(.good, text)] }
        return [
            finding(
                .bad, text,
                fix: Finding.Fix(
                    "sudo sysctl kernel.sched_rt_runtime_us=950000",
                    note: "The setting ends with a restart."))
        ]
    }
}
