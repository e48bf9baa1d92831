import CJack
import Glibc
import JackHost
import Platform
import Synchronization
import Testing
import TestSignals

/// A real JACK server with the dummy driver, which waits for its clients in every cycle and so
/// loses no sample; or a PipeWire that waits too, if the JACK library of this process is
/// PipeWire's.
final class TestServer: Sendable {
    /// The server that all tests share, because libjack does not let one process use two servers.
    static let shared = TestServer()

    let name: String

    private init() {
        if JackLibrary.loaded.isPipeWire {
            name = TestPipeWire.defaultName
            startTied(TestPipeWire.command(name: name, sampleRate: 48_000, blockFrames: 64))
        } else {
            name = "stompline-test-\(getpid())"
            startTied([
                "jackd", "-S", "-t", "100", "-n", name, "-d", "dummy", "-r", "48000", "-p", "64",
            ])
        }
        setenv("JACK_DEFAULT_SERVER", name, 1)
        atexit {
            let server = sharedProcess.load(ordering: .acquiring)
            guard server > 0 else { return }
            kill(server, SIGTERM)
            waitpid(server, nil, 0)
        }
        let isReady = waitUntil { TestClient(named: "probe").map { _ in true } }
        #expect(isReady == true, "the server did not start")
    }

    /// Returns the name of a server for a program that starts it if it does not run.
    ///
    /// - Parameter name: The server that the program starts on JACK.
    /// - Returns: That name; on PipeWire, which no program starts, the name of the shared server.
    static func startable(_ name: String) -> String {
        JackLibrary.loaded.isPipeWire ? shared.name : name
    }

    /// Changes the buffer size of all clients, through one of them.
    func setBufferSize(_ frames: Int, by client: OpaquePointer) {
        if JackLibrary.loaded.isPipeWire {
            let change = [
                "pw-metadata", "-n", "settings", "0", "clock.force-quantum", "\(frames)",
            ]
            waitpid(startProgram(change), nil, 0)
        } else {
            #expect(jack_set_buffer_size(client, UInt32(frames)) == 0)
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test on PipeWire.
    ///
    /// - Parameter reason: What differs there.
    /// - Returns: The trait of the test.
    static func onJack(_ reason: Comment) -> Self {
        .enabled(if: !JackLibrary.loaded.isPipeWire, reason)
    }

    /// Skips a test of a server that the program starts on PipeWire.
    static var onJackForStarting: Self { onJack("no program starts PipeWire") }

    /// Skips a test of freewheeling on PipeWire.
    static var onJackForFreewheeling: Self {
        onJack("on PipeWire only the clients freewheel that are connected to the one that asks")
    }
}

/// The server's process, for the function that ends the server at exit.
private let sharedProcess = Atomic<pid_t>(0)

/// Starts a program that is asked to stop when this process ends, even if this process crashes.
private func startTied(_ command: [String]) {
    var launch = ChildProcess.Launch(["/usr/bin/env"] + command)
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
