/// A limit of a process, as in `/proc/self/limits`.
struct ProcessLimit: Equatable {
    /// The limit that applies; `nil` if there is none.
    let soft: Int?
    /// The limit up to which the process can raise it; `nil` if there is none.
    let hard: Int?

    /// Reads a limit; `nil` if the text does not contain it.
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

    /// The number of the user; `nil` if it is not stated.
    let user: Int?
    /// The numbers of the groups.
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
