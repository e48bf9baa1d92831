import Glibc

/// A program started by a test; when this object is freed, its input is closed and it is killed.
final class ChildProgram {
    let process: pid_t
    private let input: Int32
    private let output: Int32
    private var held: [UInt8] = []

    /// Starts the program.
    init(_ arguments: [String]) {
        var input: [Int32] = [0, 0]
        var output: [Int32] = [0, 0]
        guard pipe(&input) == 0, pipe(&output) == 0 else {
            fatalError("the system has no pipe left")
        }
        // Other children must not keep the pipes open.
        for end in input + output { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        process = Self.spawn(arguments, input: input[0], output: output[1])
        close(input[0])
        close(output[1])
        (self.input, self.output) = (input[1], output[0])
    }

    private static func spawn(_ arguments: [String], input: Int32, output: Int32) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        var child = pid_t()
        guard posix_spawnp(&child, arguments[0], &actions, nil, words, environ) == 0 else {
            fatalError("\(arguments[0]) cannot be started")
        }
        posix_spawn_file_actions_destroy(&actions)
        for word in words { free(word) }
        return child
    }

    deinit {
        close(input)
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        close(output)
    }

    /// Returns the next line of the output; `nil` at its end.
    func line() -> String? {
        while true {
            if let end = held.firstIndex(of: 10) {
                defer { held.removeFirst(end + 1) }
                return String(decoding: held[..<end], as: UTF8.self)
            }
            guard let more = piece() else { return nil }
            held += more
        }
    }

    /// Returns the rest of the output.
    func rest() -> [UInt8] {
        while let more = piece() { held += more }
        return held
    }

    /// Returns the lines written so far.
    func linesSoFar() -> [String] {
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
        while let more = piece() { held += more }
        return String(decoding: held, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func piece() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(output, &bytes, bytes.count)
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    /// Runs a program until it exits, and returns its output.
    static func run(_ arguments: [String]) -> [UInt8] { ChildProgram(arguments).rest() }
}
