import CJack
import Glibc
import Platform
import Synchronization
import Testing

/// A real JACK server with the dummy driver, which waits for its clients in every cycle and so
/// loses no sample.
final class TestServer: Sendable {
    /// The server that all tests share, because libjack does not let one process use two servers.
    static let shared = TestServer()

    let name: String

    private init() {
        name = "stompline-test-\(getpid())"
        startTied(
            "/usr/bin/jackd",
            ["-S", "-t", "100", "-n", name, "-d", "dummy", "-r", "48000", "-p", "64"])
        setenv("JACK_DEFAULT_SERVER", name, 1)
        atexit {
            let server = sharedProcess.load(ordering: .acquiring)
            guard server > 0 else { return }
            kill(server, SIGTERM)
            waitpid(server, nil, 0)
        }
        let isReady = waitUntil { TestClient(named: "probe").map { _ in true } }
        #expect(isReady == true, "jackd did not start")
    }
}

/// The server's process, for the function that ends the server at exit.
private let sharedProcess = Atomic<pid_t>(0)

/// Starts a program that is asked to stop when this process ends, even if this process crashes.
private func startTied(_ path: String, _ arguments: [String]) {
    var launch = ChildProcess.Launch([path] + arguments)
    launch.endSignal = SIGTERM
    guard let child = try? ChildProcess(launch) else { return }
    sharedProcess.store(child.id, ordering: .releasing)
    // The object kills the child when it is released, so it is retained until the process ends.
    _ = Unmanaged.passRetained(child)
}

/// Starts a program from the search path without output, except output to the given file.
func startProgram(_ arguments: [String], output: Int32? = nil) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    if let output {
        posix_spawn_file_actions_adddup2(&actions, output, 1)
    } else {
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    var process: pid_t = 0
    var texts = arguments.map { strdup($0) } + [nil]
    defer { for text in texts { free(text) } }
    let status = posix_spawnp(&process, arguments[0], &actions, nil, &texts, environ)
    #expect(status == 0, "\(arguments[0]) cannot be started")
    return process
}
