/// A running process or one of its threads, as in `/proc`.
struct SystemThread {
    /// The process ID or thread ID.
    let id: Int
    /// The name, at most 15 bytes.
    let name: String
    /// The real-time priority, 1 through 99; `nil` with the usual policy or if it is not stated.
    let priority: Int?

    /// Reads a process or thread; `nil` if it has ended.
    ///
    /// - Parameters:
    ///   - folder: Its folder.
    ///   - machine: The machine.
    init?(_ folder: String, on machine: Machine) {
        guard let id = folder.split(separator: "/").last.flatMap({ Int($0) }),
            let text = machine.text(folder + "/stat"), let stat = Self.parse(text)
        else { return nil }
        self.id = id
        (name, priority) = stat
    }

    /// Reads a line of `/proc/PID/stat`; `nil` if it has another form.
    ///
    /// The name can contain spaces and parentheses, so the last parenthesis ends it.
    static func parse(_ text: String) -> (name: String, priority: Int?)? {
        guard let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")"), start < end
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        // The fields 40 and 41 of the line: the real-time priority and the policy.
        let numbers = fields.dropFirst(37).prefix(2).map { Int($0) }
        guard numbers.count == 2 else { return nil }
        let isRealtime = numbers.last == 1 || numbers.last == 2
        return (
            String(text[text.index(after: start)..<end]), isRealtime ? numbers.first ?? nil : nil
        )
    }

    /// Returns all processes, in the order of their names.
    static func processes(on machine: Machine) -> [SystemThread] {
        machine.numbered("", in: "/proc").compactMap { SystemThread($0, on: machine) }
    }

    /// Returns the threads of this process.
    func threads(on machine: Machine) -> [SystemThread] {
        machine.numbered("", in: "/proc/\(id)/task").compactMap { SystemThread($0, on: machine) }
    }
}
