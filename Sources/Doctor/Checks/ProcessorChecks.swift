/// Checks the frequency governor of the processors.
enum GovernorCheck: MachineCheck {
    static let id = "governor"
    static let title = "frequency governor"
    static let why = "A processor that has slowed down needs too long for the first loud period."

    /// Drivers with which `powersave` still raises the frequency under load.
    private static let adaptiveDrivers = ["intel_pstate", "amd-pstate-epp", "amd_pstate_epp"]

    static func findings(on machine: Machine) -> [Finding] {
        let policies = machine.numbered("policy", in: "/sys/devices/system/cpu/cpufreq")
        let governors = policies.compactMap { machine.text("\($0)/scaling_governor") }
        let others = Set(governors).subtracting(["performance"]).sorted()
        if governors.isEmpty {
            return [finding(.unknown, "The kernel does not control the processor's frequency.")]
        }
        guard let governor = others.first else {
            return [finding(.good, "All processors have the governor performance.")]
        }
        let isPowersave = others.contains("powersave")
        let isFixed =
            isPowersave
            && !policies.contains {
                adaptiveDrivers.contains(machine.text("\($0)/scaling_driver") ?? "")
            }
        let savesPower = policies.contains { policy in
            let preference = machine.text("\(policy)/energy_performance_preference") ?? ""
            return ["power", "balance_power"].contains(preference)
        }
        let list = others.joined(separator: ", ")
        let fact =
            isFixed
            ? "The governor powersave keeps processors at their lowest frequency."
            : "Processors have the governor \(isPowersave ? list : governor), which changes the "
                + "frequency with the load."
        return [
            finding(
                isFixed || (isPowersave && savesPower) ? .bad : .notice, fact,
                fix: Finding.Fix(
                    "echo performance | sudo tee \\",
                    "  /sys/devices/system/cpu/cpufreq/policy*/scaling_governor",
                    note: "The setting ends with a restart."))
        ]
    }
}

/// Checks whether the processor exceeds its nominal frequency for a while.
enum TurboCheck: MachineCheck {
    static let id = "turbo"
    static let title = "turbo"
    static let why =
        "Turbo makes the processor faster until it is hot; then it is slower, in mid-song."

    static func findings(on machine: Machine) -> [Finding] {
        let folder = "/sys/devices/system/cpu"
        let (intel, other) = ("\(folder)/intel_pstate/no_turbo", "\(folder)/cpufreq/boost")
        let isOn: Bool
        let command: String
        if let value = machine.number(intel) {
            (isOn, command) = (value == 0, "echo 1 | sudo tee \(intel)")
        } else if let value = machine.number(other) {
            (isOn, command) = (value == 1, "echo 0 | sudo tee \(other)")
        } else {
            return [finding(.unknown, "The kernel does not state whether turbo is on.")]
        }
        guard isOn else { return [finding(.good, "Turbo is off, so the speed stays the same.")] }
        return [
            finding(
                .notice, "Turbo is on. Rehearse in the heat of the stage, or switch it off.",
                fix: Finding.Fix(
                    command,
                    note: "The processor is then slower, but steadily so, until the next restart."))
        ]
    }
}

/// Checks how long idle processors need to wake up.
enum IdleStateCheck: MachineCheck {
    static let id = "idle-states"
    static let title = "idle states"
    static let why = "A processor that sleeps deeply starts the audio thread later."

    private static let noticeMicroseconds = 100
    private static let badMicroseconds = 500

    /// An idle state that is enabled.
    private struct State {
        let folder: String
        let name: String
        let microseconds: Int
    }

    static func findings(on machine: Machine) -> [Finding] {
        let states = enabled(on: machine)
        guard let deepest = states.max(by: { $0.microseconds < $1.microseconds }) else {
            return [finding(.unknown, "The kernel does not state how idle processors sleep.")]
        }
        let text =
            "The deepest state, \(deepest.name), needs "
            + "\(Amount.text(microseconds: deepest.microseconds)) to wake up."
        guard deepest.microseconds >= noticeMicroseconds else { return [finding(.good, text)] }
        let names = states.filter { $0.microseconds >= noticeMicroseconds }
            .compactMap { $0.folder.split(separator: "/").last }
        let commands = Set(names).sorted().flatMap {
            ["echo 1 | sudo tee \\", "  /sys/devices/system/cpu/cpu*/cpuidle/\($0)/disable"]
        }
        return [
            finding(
                deepest.microseconds >= badMicroseconds ? .bad : .notice, text,
                fix: Finding.Fix(
                    commands: commands,
                    note: "The machine then needs more power. The setting ends with a restart."))
        ]
    }

    private static func enabled(on machine: Machine) -> [State] {
        machine.numbered("cpu", in: "/sys/devices/system/cpu").flatMap { processor in
            machine.numbered("state", in: "\(processor)/cpuidle").compactMap { folder in
                guard machine.number("\(folder)/disable") != 1,
                    let latency = machine.number("\(folder)/latency"), latency >= 0
                else { return nil }
                let name = machine.text("\(folder)/name") ?? "without a name"
                return State(folder: folder, name: name, microseconds: latency)
            }
        }
    }
}

/// Checks whether heat or a weak power supply has slowed the processor down.
enum HeatCheck: MachineCheck {
    static let id = "heat"
    static let title = "heat and power supply"
    static let why = "A processor that protects itself is suddenly slow."

    /// The distance to the temperature of a trip point that deserves a notice, in 0.001 °C.
    private static let margin = 5_000
    private static let raspberryFile = "/sys/devices/platform/soc/soc:firmware/get_throttled"

    static func findings(on machine: Machine) -> [Finding] {
        let facts = [throttling(machine), raspberry(machine), temperature(machine)]
        let found = facts.compactMap(\.self)
        return found.isEmpty
            ? [finding(.unknown, "The machine states neither temperatures nor throttling.")] : found
    }

    /// Returns the finding about the counters of Intel's processors; `nil` without counters.
    private static func throttling(_ machine: Machine) -> Finding? {
        let counts = machine.numbered("cpu", in: "/sys/devices/system/cpu").flatMap { processor in
            ["core", "package"].compactMap {
                machine.number("\(processor)/thermal_throttle/\($0)_throttle_count")
            }
        }
        guard let highest = counts.max() else { return nil }
        if highest <= 0 {
            return finding(.good, "Heat has not slowed the processor down since the start.")
        }
        return finding(
            .notice, "Heat has slowed the processor down \(highest) times since the start.",
            fix: Finding.Fix(note: "Clean the fan, and keep the machine out of the light."))
    }

    /// Returns the finding about the bits of a Raspberry Pi's firmware; `nil` on other machines.
    private static func raspberry(_ machine: Machine) -> Finding? {
        let text = machine.text(raspberryFile) ?? ""
        let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
        guard let bits = UInt64(digits, radix: 16) else { return nil }
        // Bit 0 is a low voltage, bit 2 throttling; 16 bits higher, since the start.
        let now = bits & 0xf
        if now != 0 {
            return finding(
                .bad,
                now & 1 == 1
                    ? "The power supply is too weak at this moment."
                    : "Heat slows the processor down at this moment.",
                fix: remedy(isPower: now & 1 == 1))
        }
        if bits != 0 {
            let isPower = bits >> 16 & 1 == 1
            return finding(
                .notice,
                isPower
                    ? "The power supply was too weak since the start."
                    : "Heat has slowed the processor down since the start.",
                fix: remedy(isPower: isPower))
        }
        return finding(.good, "Neither heat nor a weak supply has slowed the processor down.")
    }

    private static func remedy(isPower: Bool) -> Finding.Fix {
        Finding.Fix(
            note: isPower
                ? "Use the power supply of the maker, and power USB devices separately."
                : "Add a heat sink or a fan.")
    }

    /// Returns the finding about the zone nearest to its limit; `nil` without a zone with limits.
    private static func temperature(_ machine: Machine) -> Finding? {
        let zones = machine.numbered("thermal_zone", in: "/sys/class/thermal").compactMap { zone in
            machine.number("\(zone)/temp").flatMap { now in
                limit(of: zone, machine).map { (now: now, limit: $0) }
            }
        }
        // A sensor that is absent states an impossible temperature.
        let valid = zones.filter { -50_000...200_000 ~= $0.now && 1...200_000 ~= $0.limit }
        guard let hottest = valid.max(by: { $0.now - $0.limit < $1.now - $1.limit }) else {
            return nil
        }
        let text =
            "The processor has \(hottest.now / 1000) °C, and slows down at "
            + "\(hottest.limit / 1000) °C."
        if hottest.now < hottest.limit - margin { return finding(.good, text) }
        return finding(
            .bad, text, fix: Finding.Fix(note: "Let the machine cool down, and find the reason."))
    }

    /// Returns the lowest temperature at which a zone slows the processor down, in 0.001 °C.
    private static func limit(of zone: String, _ machine: Machine) -> Int? {
        machine.numbered("trip_point_", in: zone).filter { $0.hasSuffix("_type") }
            .filter { ["passive", "hot"].contains(machine.text($0) ?? "") }
            .compactMap { machine.number($0.dropLast("type".count) + "temp") }
            .filter { $0 > 0 }.min()
    }
}
