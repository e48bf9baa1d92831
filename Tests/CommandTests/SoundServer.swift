internal import Glibc
internal import TestSignals

/// A local HTTP server of the shipped sounds, as in the instructions of `docs/streams.md` and
/// `web-radio.json`.
final class SoundServer {
    /// The port on which the server listens.
    let port: Int
    private let process: pid_t
    private let folder = ScratchFolder()

    /// Starts the server; returns `nil` if `python3` is not installed.
    init?(serving path: String) {
        let log = folder.file("log")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(
            &actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        let words = [
            "python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", path,
        ]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        arguments.append(nil)
        var process = pid_t()
        guard posix_spawnp(&process, "python3", &actions, nil, arguments, environ) == 0 else {
            return nil
        }
        self.process = process
        // "Serving HTTP on 127.0.0.1 port 40123 (http://127.0.0.1:40123/) ..."
        for _ in 0..<600 {
            let said = Program.text(of: log).split(separator: " ")
            if let word = said.firstIndex(of: "port"), said.indices.contains(word + 1),
                let port = Int(said[word + 1])
            {
                self.port = port
                return
            }
            usleep(50_000)
        }
        kill(process, SIGKILL)
        return nil
    }

    deinit {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }
}
