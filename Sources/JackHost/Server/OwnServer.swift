internal import CRealtime
internal import Glibc
internal import Platform

/// A JACK server that this program has started: a silent child process that ends on request, and if
/// the program is killed.
///
/// It is not in the terminal's process group, so that Ctrl-C stops this program first.
final class OwnServer {
    /// The most starts, and the time from an end to the next start, in µs.
    ///
    /// A server cannot start while another one of its name ends, which takes a moment after a program
    /// with its own server was killed.
    private static let mostStarts = 10
    private static let pauseMicroseconds: UInt32 = 200_000

    /// The command line to show.
    let command: String
    private let launch: ChildProcess.Launch
    private var process: ChildProcess

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - name: The server's name; `nil` for the default server.
    ///   - driver: The driver.
    /// - Throws: `JackError.notInstalled` or `.serverDidNotStart`.
    init(name: String?, driver: ServerDriver) throws(JackError) {
        guard let program = ChildProcess.path(ofProgram: "jackd") else { throw .notInstalled }
        let arguments =
            ["jackd"]
            + driver.arguments(server: name, isRealtime: RealtimeLimit.highestPriority > 0)
        command = arguments.joined(separator: " ")
        var launch = ChildProcess.Launch(arguments, program: program)
        launch.endSignal = SIGTERM
        // Without a session bus, the server must not ask the bus for the sound card.
        if getenv("DBUS_SESSION_BUS_ADDRESS") == nil {
            launch.variables = ["JACK_NO_AUDIO_RESERVATION=1"]
        }
        self.launch = launch
        process = try Self.start(launch, command)
    }

    private static func start(
        _ launch: ChildProcess.Launch, _ command: String
    ) throws(JackError) -> ChildProcess {
        do throws(SystemError) {
            return try ChildProcess(launch)
        } catch {
            throw .serverDidNotStart(command: command)
        }
    }

    deinit { stop() }

    /// Waits until the server accepts a client, at most 5 s; starts the server again if it ends.
    ///
    /// - Throws: `JackError.serverDidNotStart`, even if the server has ended.
    func waitForClient(name: String, server: String?) throws(JackError) -> JackClient {
        let deadline = rt_nanoseconds() + 5_000_000_000
        var starts = 1
        while rt_nanoseconds() < deadline {
            if hasEnded() {
                guard starts < Self.mostStarts else { break }
                usleep(Self.pauseMicroseconds)
                process = try Self.start(launch, command)
                starts += 1
            }
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
            process.send(SIGTERM)
            for _ in 0..<100 where !hasEnded() { usleep(5_000) }
        }
        process.kill()
    }

    /// Returns whether the process has ended.
    func hasEnded() -> Bool { process.currentEnd() != nil }
}
