internal import Glibc

/// The limits of memory as Linux reports them.
///
/// A part of each limit is kept in reserve: for other programs, for threads and small objects that
/// no estimate includes, and so that Linux does not reclaim pages during playback.
package struct SystemMemory {
    /// The folder of `meminfo` and `self`; tests use a different one.
    package var processFolder = "/proc"
    /// The mount point of the control groups.
    package var groupFolder = "/sys/fs/cgroup"
    /// The limit of a resource of this process in bytes; `nil` if it is unlimited.
    package var resourceLimit: (Resource) -> Int? = SystemMemory.limit

    /// A resource that `setrlimit` limits.
    package enum Resource { case addressSpace, data }

    /// Creates a view of the memory of this computer and this process.
    package init() {}

    /// The largest reserve, in bytes.
    private static let maximumReserveBytes = 256 << 20

    /// The tightest of all limits; `nil` if Linux reports none.
    package var room: MemoryBudget.Room? {
        let limits = [computer] + groups + resources
        return limits.compactMap { $0 }.min { $0.freeBytes < $1.freeBytes }
    }

    /// Returns the rest of a limit after subtraction of the reserve.
    private func room(
        of wholeBytes: Int, leftBytes: Int, _ limit: String
    ) -> MemoryBudget.Room {
        let reserve = min(Self.maximumReserveBytes, wholeBytes / 16)
        return MemoryBudget.Room(freeBytes: max(0, leftBytes - reserve), limit: limit)
    }

    // MARK: The computer

    private var computer: MemoryBudget.Room? {
        let lines = MemoryTable(text(of: "\(processFolder)/meminfo"))
        guard let whole = lines["MemTotal"], let available = lines["MemAvailable"] else {
            return nil
        }
        return room(of: whole, leftBytes: available, "the memory of this computer")
    }

    // MARK: Control groups (version 2)

    /// The control groups of this process, from its own up to the root.
    private var groups: [MemoryBudget.Room?] {
        let lines = text(of: "\(processFolder)/self/cgroup").split(separator: "\n")
        guard let own = lines.first(where: { $0.hasPrefix("0::/") }) else { return [] }
        var parts = own.dropFirst(4).split(separator: "/")
        var rooms: [MemoryBudget.Room?] = []
        while true {
            rooms.append(
                room(ofGroup: ([groupFolder] + parts.map(String.init)).joined(separator: "/")))
            if parts.isEmpty { return rooms }
            parts.removeLast()
        }
    }

    private func room(ofGroup folder: String) -> MemoryBudget.Room? {
        let limits = ["memory.max", "memory.high"].compactMap { name in
            Int(text(of: "\(folder)/\(name)").trimmingNewlines)
        }
        guard let limit = limits.min(),
            let used = Int(text(of: "\(folder)/memory.current").trimmingNewlines)
        else { return nil }
        // Pages of files count as used, and Linux reclaims them when memory is short.
        let pages = MemoryTable(text(of: "\(folder)/memory.stat"), unitBytes: 1)
        let reclaimable = (pages["inactive_file"] ?? 0) + (pages["active_file"] ?? 0)
        return room(
            of: limit, leftBytes: limit - max(0, used - reclaimable),
            "the memory limit of its control group")
    }

    // MARK: This process

    private var resources: [MemoryBudget.Room?] {
        let status = MemoryTable(text(of: "\(processFolder)/self/status"))
        func room(_ resource: Resource, _ line: String, _ name: String) -> MemoryBudget.Room? {
            guard let limit = resourceLimit(resource), let used = status[line] else { return nil }
            return self.room(of: limit, leftBytes: limit - used, name)
        }
        // Locked memory is no limit: beyond it, memory is allocated and not locked.
        return [
            room(.addressSpace, "VmSize", "the address space limit (ulimit -v)"),
            room(.data, "VmData", "the data limit (ulimit -d)"),
        ]
    }

    private static func limit(of resource: Resource) -> Int? {
        let number =
            switch resource {
            case .addressSpace: RLIMIT_AS.rawValue
            case .data: RLIMIT_DATA.rawValue
            }
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(number), &limit) == 0, limit.rlim_cur != rlim_t.max
        else { return nil }
        return Int(clamping: limit.rlim_cur)
    }

    // MARK: Files

    /// Returns the text of a small file, or an empty text if the file cannot be read.
    private func text(of path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while bytes.count < 1 << 16 {
            let count = read(descriptor, &part, part.count)
            guard count > 0 else { break }
            bytes.append(contentsOf: part[..<count])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Lines with a name and a number, in the format of `/proc/meminfo`, `/proc/self/status` and
/// `memory.stat`.
private struct MemoryTable {
    private var bytes: [Substring: Int] = [:]

    /// - Parameters:
    ///   - text: All lines.
    ///   - unitBytes: The unit of the numbers; kibibytes in `/proc`.
    init(_ text: String, unitBytes: Int = 1024) {
        for line in text.split(separator: "\n") {
            let words = line.split { $0 == " " || $0 == "\t" || $0 == ":" }
            guard words.count > 1, let number = Int(words[1]) else { continue }
            bytes[words[0]] = number.multipliedReportingOverflow(by: unitBytes).partialValue
        }
    }

    subscript(name: String) -> Int? { bytes[Substring(name)] }
}

extension String {
    fileprivate var trimmingNewlines: Substring { prefix { $0 != "\n" } }
}
