import Glibc
import JackHost
import Testing

/// A JACK server that this process is not a client of; or a PipeWire, if the JACK library of this
/// process is PipeWire's.
///
/// The tests use JACK's own tools to inspect it, because libjack does not let one process use
/// two servers.
struct ForeignServer {
    let name: String
    /// The command that starts the server; empty for JACK's own.
    var command: [String] = []
    /// The command that runs JACK's tools; empty to run them directly.
    var launcher: [String] = []

    /// Starts the server.
    ///
    /// Use the same name in every run: a killed server keeps one of the machine's eight server
    /// slots until a server of the same name reuses it.
    func start(sampleRate: Int = 48_000, blockFrames: Int = 256) -> pid_t {
        guard command.isEmpty else { return startProgram(command) }
        guard !JackLibrary.loaded.isPipeWire else {
            return startProgram(
                TestPipeWire.command(
                    name: name, sampleRate: sampleRate, blockFrames: blockFrames))
        }
        return startProgram([
            "jackd", "-n", name, "-d", "dummy", "-r", "\(sampleRate)", "-p", "\(blockFrames)",
        ])
    }

    /// Kills the server as a crash would, or kills a client: without a server, JACK's clients do
    /// not end in order.
    func kill(_ jackd: pid_t) {
        Glibc.kill(jackd, SIGKILL)
        waitpid(jackd, nil, 0)
    }

    /// Ends the server in order.
    func end(_ process: pid_t) {
        Glibc.kill(process, SIGTERM)
        waitpid(process, nil, 0)
    }

    /// Starts one of JACK's example clients on the server.
    func startClient(_ arguments: [String]) -> pid_t {
        startProgram(["env", "JACK_DEFAULT_SERVER=" + name, "PIPEWIRE_REMOTE=" + name] + arguments)
    }

    func connect(_ from: String, _ to: String) {
        run(launcher + ["jack_connect", "-s", name, from, to])
    }
    func disconnect(_ from: String, _ to: String) {
        run(launcher + ["jack_disconnect", "-s", name, from, to])
    }

    /// The connections of each port, by full names; empty if the server does not run.
    var connections: [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        var port = ""
        for line in run(launcher + ["jack_lsp", "-s", name, "-c"]).split(separator: "\n") {
            if line.hasPrefix(" ") {
                found[port, default: []].insert(String(line.drop { $0 == " " }))
            } else {
                port = String(line)
                found[port] = []
            }
        }
        return found
    }

    /// Waits until the given ports have exactly these connections, for at most 5 s.
    func waits(_ wanted: [String: Set<String>]) -> Bool {
        waits { now in wanted.allSatisfy { now[$0] == $1 } }
    }

    /// Waits until the connections meet a condition, for at most 5 s plus the time of a hundred
    /// queries.
    func waits(_ fits: ([String: Set<String>]) -> Bool) -> Bool {
        for _ in 0..<100 {
            if fits(connections) { return true }
            usleep(50_000)
        }
        return false
    }

    /// Runs a program to its end.
    ///
    /// - Returns: The program's standard output.
    @discardableResult
    func run(_ arguments: [String]) -> String {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return "" }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let process = startProgram(arguments, output: ends[1])
        close(ends[1])
        var text = ""
        var bytes = [UInt8](repeating: 0, count: 4096)
        while case let count = read(ends[0], &bytes, bytes.count), count > 0 {
            text += String(decoding: bytes[..<count], as: UTF8.self)
        }
        close(ends[0])
        waitpid(process, nil, 0)
        return text
    }
}
