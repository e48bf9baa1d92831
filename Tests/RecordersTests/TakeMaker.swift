import Glibc
import Testing
import TestSignals

/// A run of the program `take-maker`, which records the same signal in every format.
final class TakeMaker {
    let folder: String
    /// The last reported number of frames.
    private(set) var framesPassed = 0

    private let process: pid_t
    private let output: UnsafeMutablePointer<FILE>
    private var isReaped = false

    /// The path next to the tests, where the same build put both.
    private static let path = builtProgram("take-maker")

    /// Starts the program.
    init(
        _ folder: String, _ sampleRate: Double, _ signal: String, seconds: Int, limitBytes: Int = 0,
        stillMilliseconds: Int = 0
    ) throws {
        self.folder = folder
        var ends: [Int32] = [0, 0]
        // The flag is set atomically, so that no other child of the tests keeps an end open.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        let arguments = [
            Self.path, folder, "\(sampleRate)", signal, "\(seconds)", "\(limitBytes)",
            "\(stillMilliseconds)",
        ]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        let status = posix_spawn(&process, Self.path, &actions, nil, &words, environ)
        close(ends[1])
        try #require(status == 0, "\(Self.path) does not start")
        self.process = process
        output = try #require(fdopen(ends[0], "r"))
    }

    deinit {
        if !isReaped {
            Glibc.kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        fclose(output)
    }

    /// Kills the program after some frames, and returns the number of frames that it reported.
    func kill(after frames: Int) throws -> Int {
        while framesPassed < frames { try #require(nextLine() != nil, "it ended by itself") }
        Glibc.kill(process, SIGKILL)
        reap()
        while nextLine() != nil {}
        return framesPassed
    }

    /// Waits for the program to exit, and returns its output except for the frame counts.
    func wait() throws -> [String] {
        var lines: [String] = []
        while let line = nextLine() { if Int(line) == nil { lines.append(line) } }
        reap()
        return lines
    }

    private func reap() {
        waitpid(process, nil, 0)
        isReaped = true
    }

    private func nextLine() -> String? {
        var line: UnsafeMutablePointer<CChar>?
        var room = 0
        defer { free(line) }
        let count = getline(&line, &room, output)
        guard count > 0, let line else { return nil }
        let text = String(cString: line).filter { $0 != "\n" }
        if let frames = Int(text) { framesPassed = frames }
        return text
    }

    /// Returns a sample of the signal that `take-maker` plays.
    static func noise(_ frame: Int, channel: Int) -> Float {
        var bits = UInt64(truncatingIfNeeded: frame * 2 + channel + 1) &* 0x9e37_79b9_7f4a_7c15
        bits ^= bits >> 29
        bits = bits &* 0xbf58_476d_1ce4_e5b9
        return Float(bits >> 40) / Float(1 << 24) - 0.5
    }
}
