import Glibc
import Testing
import TestSignals

/// The built program as a child process, with its standard output.
final class Program {
    let process: pid_t
    private let reading: Int32
    private var text = ""
    private var takenStatus: Int32?

    /// Starts `stompline` with arguments; the program is in the folder of the tests' program.
    ///
    /// - Parameters:
    /// - arguments: The arguments of `stompline`.
    /// - starter: A command that replaces itself with the command on the rest of its
    ///   command line.
    /// - Throws: An issue if no pipe can be created.
    init(_ arguments: [String], by starter: [String] = []) throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = ends[0]
        process = startProgram(
            starter + [builtProgram("stompline")] + Self.onSeveralCores(arguments),
            output: ends[1])
        close(ends[1])
        _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    }

    /// Adds `--cores` to the arguments of `run` if the environment has STOMPLINE_TEST_CORES.
    private static func onSeveralCores(_ arguments: [String]) -> [String] {
        guard arguments.first == "run", !arguments.contains("--cores"),
            let cores = getenv("STOMPLINE_TEST_CORES")
        else { return arguments }
        return arguments + ["--cores", String(cString: cores)]
    }

    deinit {
        if status == nil {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        close(reading)
    }

    /// The exit status, or 128 plus the signal if a signal killed the process; `nil` while it runs.
    var status: Int32? {
        if let takenStatus { return takenStatus }
        var word: Int32 = 0
        guard waitpid(process, &word, WNOHANG) == process else { return nil }
        let signal = word & 0x7f
        takenStatus = signal == 0 ? (word >> 8) & 0xff : 128 + signal
        return takenStatus
    }

    /// Waits for the end, for at most 5 s.
    func waitForStatus() -> Int32? { waitUntil { status } }

    /// Returns the first line of standard output with the given event; waits for at most 5 s.
    func waitFor(event: String) -> String? {
        waitUntil {
            let hasEnded = status != nil
            readOn()
            let line = text.split(separator: "\n").first {
                $0.hasPrefix("{\"event\": \"\(event)\"")
            }
            return line.map { .some(String($0)) } ?? (hasEnded ? .some(nil) : nil)
        } ?? nil
    }

    /// Waits until standard output has the given number of lines with an event, for at most 5 s.
    ///
    /// - Returns: The last of these lines, and all lines after it at that time.
    func waitFor(event: String, times: Int) -> (line: String, later: [String])? {
        waitUntil {
            readOn()
            let lines = text.split(separator: "\n").map(String.init)
            let places = lines.indices.filter { lines[$0].hasPrefix("{\"event\": \"\(event)\"") }
            guard places.count >= times else { return nil }
            let place = places[times - 1]
            return (lines[place], Array(lines[(place + 1)...]))
        }
    }

    /// Waits until standard output contains a text, for at most 5 s.
    func waitFor(text wanted: String) -> Bool? {
        waitUntil {
            readOn()
            return text.contains(wanted) ? true : nil
        }
    }

    /// Returns whether a status reports a steady 1 (0 dB) at a port after the server has returned
    /// the given number of times.
    func soundsAfterReturn(times: Int, port: String) -> Bool {
        waitUntil {
            let later = waitFor(event: "server_back", times: times)?.later ?? []
            // The first status may cover the time before.
            let statuses = later.filter { $0.hasPrefix("{\"event\": \"status\"") }.dropFirst()
            return statuses.isEmpty
                ? nil : statuses.contains { $0.contains("\"port\": \"\(port)\", \"peak_db\": 0}") }
        } ?? false
    }

    /// Everything that the program has printed so far.
    var output: String {
        readOn()
        return text
    }

    /// Returns the number of lines of standard output with an event.
    func count(event: String) -> Int {
        readOn()
        return text.split(separator: "\n").count { $0.hasPrefix("{\"event\": \"\(event)\"") }
    }

    private func readOn() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while case let count = read(reading, &bytes, bytes.count), count > 0 {
            text += String(decoding: bytes[..<count], as: UTF8.self)
        }
    }
}

/// A folder with one pipeline file; its last reference removes it.
final class PipelineFolder {
    let file: String
    private let folder = ScratchFolder()

    init(_ text: String) { file = folder.write(text, to: "voice.json") }
}

/// Returns the processes whose command line contains an argument.
func processes(withArgument argument: String) -> [pid_t] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var found: [pid_t] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard let process = pid_t(name), arguments(of: process).contains(argument) else { continue }
        found.append(process)
    }
    return found
}

private func arguments(of process: pid_t) -> [String] {
    let descriptor = open("/proc/\(process)/cmdline", O_RDONLY)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    return bytes[..<max(0, count)].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
}
