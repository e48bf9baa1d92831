import CJack
import Glibc
import JackHost
import Platform
import Synchronization
import Testing
import TestSignals

/// A real JACK server with the dummy driver, which waits for its clients in every cycle and so
/// loses no sample; or PipeWire, if the JACK library of this process is PipeWire's.
final class TestServer: Sendable {
    /// The server that all tests share, because libjack does not let one process use two servers.
    static let shared = TestServer()

    let name: String

    private init() {
        name = "stompline-test-\(getpid())"
        if JackLibrary.loaded.isPipeWire {
            startPipeWire(named: name)
        } else {
            startTied(
                "/usr/bin/jackd",
                ["-S", "-t", "100", "-n", name, "-d", "dummy", "-r", "48000", "-p", "64"])
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

    /// Changes the buffer size of all clients.
    func setBufferSize(_ frames: Int, by client: TestClient) {
        if JackLibrary.loaded.isPipeWire {
            let change = [
                "pw-metadata", "-n", "settings", "0", "clock.force-quantum", "\(frames)",
            ]
            waitpid(startProgram(change), nil, 0)
        } else {
            jack_set_buffer_size(client.handle, UInt32(frames))
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

    /// Skips a test of freewheeling on PipeWire.
    static var onJackForFreewheeling: Self {
        onJack("on PipeWire only the clients freewheel that are connected to the one that asks")
    }
}

/// The server's process, for the function that ends the server at exit.
private let sharedProcess = Atomic<pid_t>(0)

/// Starts a PipeWire whose sink has the port names of JACK, in a runtime folder of its own that all
/// programs of the tests use from now on.
private func startPipeWire(named name: String) {
    let folder = ScratchFolder()
    // The folder is removed with the object, so the object is retained until the process ends.
    _ = Unmanaged.passRetained(folder)
    for variable in PrivatePipeWire.variables(folder.path) + ["PIPEWIRE_REMOTE=" + name] {
        let parts = variable.split(separator: "=", maxSplits: 1).map(String.init)
        setenv(parts[0], parts[1], 1)
    }
    let text = PrivatePipeWire.configuration(
        name: name, frames: 64,
        sink: "node.name = system media.class = Audio/Duplex audio.channels = 2")
    startTied("/usr/bin/pipewire", ["-c", folder.write(text, to: "pipewire.conf")])
}

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
