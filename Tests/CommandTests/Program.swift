import Glibc
import SoundFiles
import TestSignals

/// The built program, run in a separate folder.
struct Program {
    /// The result of a run.
    struct Outcome {
        /// The exit status, or the negated signal number if a signal ended the program.
        let status: Int32
        let output: String
        let errors: String
    }

    let folder = ScratchFolder()
    /// Variables added to the environment of the tests, each `NAME=VALUE`.
    var environment: [String] = []
    /// A command that runs the program, such as one that limits its memory; none by default.
    var starter: [String] = []

    /// The path of the program, which is in the same build folder as the tests.
    static let path = builtProgram("stompline")

    /// Runs the program with arguments and waits for its end; `output` replaces the file for its
    /// standard output.
    func callAsFunction(_ arguments: String..., output: Int32? = nil) -> Outcome {
        self(arguments, output: output)
    }

    /// Runs the program with a list of arguments, and waits for its end.
    func callAsFunction(_ arguments: [String], output: Int32? = nil) -> Outcome {
        let files = ["output", "errors"].map { folder.file(".\($0)") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (descriptor, file) in zip([STDOUT_FILENO, STDERR_FILENO], files) {
            posix_spawn_file_actions_addopen(
                &actions, descriptor, file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
        // All tests share one cache of plugin data.
        let cache = "XDG_CACHE_HOME=\(Self.path)-cache"
        let status = Self.spawn(
            ["env", "-C", folder.path, cache] + environment + starter + [Self.path] + arguments,
            &actions)
        return Outcome(
            status: status, output: Self.text(of: files[0]), errors: Self.text(of: files[1]))
    }

    private static func spawn(
        _ arguments: [String], _ actions: inout posix_spawn_file_actions_t
    ) -> Int32 {
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var child = pid_t()
        guard posix_spawn(&child, "/usr/bin/env", &actions, nil, words, environ) == 0 else {
            return .min
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return signal != 0 ? -signal : status >> 8 & 0xff
    }

    static func text(of file: String) -> String {
        guard let stream = fopen(file, "r") else { return "" }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes a pipeline from the JSON text that follows its version.
    func write(_ text: String, to name: String = "p.json") {
        folder.write("{ \"version\": 1, \(text) }", to: name)
    }

    /// Writes sound to a WAV file.
    func write(_ channels: [[Float]], to name: String, sampleRate: Double = 48_000) throws {
        try folder.write(channels, to: name, sampleRate: sampleRate)
    }

    /// Runs another program, and returns whether it succeeded.
    func other(_ arguments: String...) -> Bool {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        return Self.spawn(["env"] + arguments, &actions) == 0
    }

    /// Returns a file's contents as text; invalid bytes are replaced.
    func text(_ name: String) -> String { Self.text(of: folder.file(name)) }

    /// Returns the channels of a sound file.
    func sound(_ name: String) throws -> [[Float]] {
        try SoundFileReader(path: folder.file(name)).readChannels()
    }
}
