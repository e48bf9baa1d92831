import Glibc

/// The system resources of a process.
struct Belongings: Equatable {
    var threads: Int
    var descriptors: Int
    var children: Int
    private let process: pid_t

    init(of process: pid_t) {
        self.process = process
        threads = Self.count("/proc/\(process)/task")
        descriptors = Self.count("/proc/\(process)/fd")
        // Each child has the identifier of its parent process as an argument.
        children = processes(withArgument: "\(process)").count
    }

    /// The same resources if a second look a moment later finds no change, otherwise `nil`.
    var ifSettled: Belongings? {
        usleep(300_000)
        return Belongings(of: process) == self ? self : nil
    }

    private static func count(_ folder: String) -> Int {
        guard let stream = opendir(folder) else { return 0 }
        defer { closedir(stream) }
        var count = 0
        while readdir(stream) != nil { count += 1 }
        return count
    }
}
