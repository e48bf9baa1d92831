/// A limit of a process, as in `/proc/self/limits`.
struct ProcessLimit: Equatable {
    /// The limit that applies, or `nil` for "unlimited".
    let soft: Int?
    /// The highest value to which the process may raise it, or `nil` for "unlimited".
    let hard: Int?

    /// Reads a limit.
    ///
    /// Fails if the lines do not contain it.
    ///
    /// - Parameters:
    ///   - name: Its name, such as `Max locked memory`.
    ///   - lines: The lines of the file: name, soft limit, hard limit and possibly a unit.
    init?(_ name: String, in lines: [Substring]) {
        guard let line = lines.first(where: { $0.hasPrefix(name + " ") }) else { return nil }
        let values = line.dropFirst(name.count).split(separator: " ").prefix(2)
        guard let first = values.first, let last = values.last, values.count == 2,
            Self.isValid(first), Self.isValid(last)
        else { return nil }
        (soft, hard) = (Int(first), Int(last))
    }

    private static func isValid(_ text: Substring) -> Bool {
        text == "unlimited" || Int(text).map { $0 >= 0 } == true
    }
}

/// The rights of the process, as in `/proc/self/status`.
struct ProcessRights {
    /// A privilege of Linux, by its bit in `CapEff`.
    enum Privilege: UInt64 {
        /// `CAP_IPC_LOCK`
        case lockMemory = 14
        /// `CAP_SYS_NICE`
        case realtime = 23
    }

    /// The effective user ID, or `nil` if the file has none.
    let user: Int?
    /// The IDs of the groups.
    let groups: Set<Int>
    private let privileges: UInt64

    init(of machine: Machine) {
        let lines = machine.lines("/proc/self/status")
        func words(_ key: String) -> [Substring] {
            let line = lines.first { $0.hasPrefix(key + ":") }
            return line?.dropFirst(key.count + 1).split { " \t".contains($0) } ?? []
        }
        user = words("Uid").dropFirst().first.flatMap { Int($0) }
        groups = Set((words("Groups") + words("Gid").prefix(1)).compactMap { Int($0) })
        privileges = words("CapEff").first.flatMap { UInt64($0, radix: 16) } ?? 0
    }

    /// Returns whether the process has a privilege.
    func has(_ privilege: Privilege) -> Bool { privileges >> privilege.rawValue & 1 == 1 }
}
