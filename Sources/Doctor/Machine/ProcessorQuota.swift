/// A limit of the processor time of this process, which one of its control groups has.
struct ProcessorQuota {
    /// The time in each period, in µs.
    let microseconds: Int
    /// The period, in µs.
    let periodMicroseconds: Int
    /// The path of the group, such as `/system.slice/night.service`.
    private let group: String

    /// Reads the quota of the process's group, or of the nearest group above that has one; `nil` if
    /// none has a quota.
    init?(of machine: Machine) {
        let line = machine.lines("/proc/self/cgroup").first { $0.hasPrefix("0::/") }
        var folder = line.map { String($0.dropFirst(3)) } ?? "/"
        while true {
            let path = "/sys/fs/cgroup" + (folder == "/" ? "" : folder) + "/cpu.max"
            let words = machine.text(path)?.split(separator: " ").map { Int($0) } ?? []
            if words.count == 2, let quota = words.first ?? nil, let period = words.last ?? nil {
                (microseconds, periodMicroseconds, group) = (quota, period, folder)
                return
            }
            guard folder.count > 1, let end = folder.lastIndex(of: "/") else { return nil }
            folder = end == folder.startIndex ? "/" : String(folder[..<end])
        }
    }

    /// The quota as a sentence.
    var text: String {
        "The process may run \(Amount.text(microseconds: microseconds)) in every "
            + "\(Amount.text(microseconds: periodMicroseconds))."
    }

    /// The remedy: a command for the unit of systemd that has the quota, otherwise a note.
    var fix: Finding.Fix {
        guard let unit else {
            return Finding.Fix(note: "Remove the limit in the settings of the container.")
        }
        let manager = isOfUser ? "systemctl --user" : "sudo systemctl"
        return Finding.Fix(
            "\(manager) set-property --runtime \(ShellWord.text(unit)) CPUQuota=",
            note: "The setting ends with a restart of the machine.")
    }

    /// The unit that has the quota; `nil` if the group belongs to no unit of systemd.
    private var unit: String? {
        guard let name = group.split(separator: "/").last.map(String.init),
            [".service", ".scope", ".slice"].contains(where: { name.hasSuffix($0) })
        else { return nil }
        return name
    }

    /// Whether the systemd of a user manages the unit: its groups are below that of
    /// `user@1000.service`.
    private var isOfUser: Bool {
        group.split(separator: "/").dropLast()
            .contains { $0.hasPrefix("user@") && $0.hasSuffix(".service") }
    }
}
