import Glibc

/// The system's information about this process and its children.
enum StreamProcesses {
    /// Returns the children of a process that fetch a stream.
    static func children(of process: pid_t = getpid()) -> [pid_t] {
        entries("/proc/\(process)/task").flatMap { task in
            text("/proc/\(process)/task/\(task)/children").split(separator: " ").compactMap {
                pid_t($0)
            }
        }.filter { text("/proc/\($0)/cmdline").contains("-http_proxy") || isGone($0) }
    }

    /// Returns the arguments of a child, which every user of the machine can see.
    static func arguments(of child: pid_t) -> String { text("/proc/\(child)/cmdline") }

    /// Returns whether a child has ended and has not been reaped.
    private static func isGone(_ child: pid_t) -> Bool {
        let status = text("/proc/\(child)/stat")
        return status.contains("(ffmpeg) Z")
    }

    /// Returns the memory of the child with which a process fetches a stream, in KiB.
    static func childMemoryKilobytes(of process: pid_t) -> Int {
        children(of: process).first.map { memoryKilobytes(of: $0) } ?? 0
    }

    /// Returns the memory of a process in KiB.
    static func memoryKilobytes(of process: pid_t) -> Int {
        let line = text("/proc/\(process)/status").split(separator: "\n").first {
            $0.hasPrefix("VmRSS:")
        }
        return line.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
    }

    /// The number of open descriptors of this process.
    static var openFiles: Int { entries("/proc/self/fd").count }

    /// Returns the number of threads with a name.
    static func threads(named name: String) -> Int {
        entries("/proc/self/task").filter { text("/proc/self/task/\($0)/comm") == "\(name)\n" }
            .count
    }

    private static func entries(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 14)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
