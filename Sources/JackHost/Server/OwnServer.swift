internal import CJack
internal import CRealtime
internal import Glibc

/// A JACK server that this program has started: a silent child process that ends on request, and if
/// the program is killed.
///
/// It is started by fork and exec in C: before it runs, it must be tied to the life of this process
/// (`PR_SET_PDEATHSIG`) and leave the terminal's process group, so that Ctrl-C stops this program
/// first. The thread that starts it must not end.
final class OwnServer {
    /// The command line to show.
    let command: String
    private let process: pid_t
    /// Whether the process has ended and its status was read.
    private var isGone = false

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - name: The server's name; `nil` for the default server.
    ///   - driver: The driver.
    /// - Throws: `JackError.notInstalled` or `.serverDidNotStart`.
    init(name: String?, driver: ServerDriver) throws(JackError) {
        guard let program = executable("jackd") else { throw .notInstalled }
        let arguments = ["jackd"] + driver.arguments(server: name, isRealtime: mayRunRealtime())
        command = arguments.joined(separator: " ")
        process = start(program, arguments)
        if process < 0 { throw .serverDidNotStart(command: command) }
    }

    deinit { stop() }

    /// Waits until the server accepts a client, at most 5 s.
    ///
    /// - Throws: `JackError.serverDidNotStart`, also if the server has ended.
    func waitForClient(name: String, server: String?) throws(JackError) -> JackClient {
        let deadline = rt_nanoseconds() + 5_000_000_000
        while rt_nanoseconds() < deadline, !hasEnded() {
            if let client = try? JackClient(name: name, server: server) { return client }
            usleep(10_000)
        }
        throw .serverDidNotStart(command: command)
    }

    /// Asks the server to end, waits for it, and kills it if it does not end within half a second.
    ///
    /// - Parameter hangs: Whether it is known to hang: then it is killed at once.
    func stop(hangs: Bool = false) {
        if hasEnded() { return }
        if !hangs {
            kill(process, SIGTERM)
            for _ in 0..<100 where !hasEnded() { usleep(5_000) }
            guard !isGone else { return }
        }
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        isGone = true
    }

    /// Returns whether the process has ended.
    func hasEnded() -> Bool {
        isGone = isGone || waitpid(process, nil, WNOHANG) != 0
        return isGone
    }
}

/// Returns the path of a program on the search path.
private func executable(_ name: String) -> String? {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
}

/// Returns whether this user may have threads with real-time priority.
private func mayRunRealtime() -> Bool {
    var limit = rlimit()
    let isKnown = getrlimit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue), &limit) == 0
    return geteuid() == 0 || (isKnown && limit.rlim_cur > 0)
}

private func start(_ program: String, _ arguments: [String]) -> pid_t {
    var arguments = arguments.map { strdup($0) } + [nil]
    var variables = serverEnvironment().map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    return child_start(program, &arguments, &variables)
}

/// Returns the environment of this process.
///
/// Without a session bus, the server must not ask the bus for the sound card.
private func serverEnvironment() -> [String] {
    var variables: [String] = []
    while let entry = environ[variables.count] { variables.append(String(cString: entry)) }
    let hasBus = variables.contains { $0.hasPrefix("DBUS_SESSION_BUS_ADDRESS=") }
    return variables + (hasBus ? [] : ["JACK_NO_AUDIO_RESERVATION=1"])
}
