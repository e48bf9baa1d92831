internal import Glibc
internal import Platform

/// A child process and its output.
final class ChildProgram {
    /// The longest silence before the child is considered stuck, in milliseconds.
    private static let timeoutMilliseconds: Int32 = 20_000
    /// The number of bytes that are kept from the start of its error output.
    private static let errorTextBytes = 2000
    private let child: ChildProcess
    private var errorText: [UInt8] = []
    private var errorsEnded = false

    /// Starts the program; the arguments do not pass through a shell.
    ///
    /// - Parameters:
    ///   - arguments: The name of the program, which is searched in PATH, and its arguments.
    ///   - file: The only file of the user that the program may read.
    /// - Throws: The system's reason if the program does not exist or cannot be started.
    init(_ arguments: [String], reading file: String) throws(SystemError) {
        var launch = ChildProcess.Launch(arguments)
        (launch.output, launch.errors) = (.pipe, .pipe)
        launch.sandbox = .init(file: file)
        child = try ChildProcess(launch)
    }

    /// The result of a read.
    enum Reading {
        case bytes(Int)
        case ended
        case tooSlow
    }

    /// Waits for the next output, and reads it.
    func read(_ count: Int, into bytes: UnsafeMutableRawPointer) -> Reading {
        while true {
            var files = [pollfd(fd: child.output, events: Int16(POLLIN), revents: 0)]
            if !errorsEnded {
                files.append(pollfd(fd: child.errors, events: Int16(POLLIN), revents: 0))
            }
            let ready = poll(&files, nfds_t(files.count), Self.timeoutMilliseconds)
            if ready == 0 { return .tooSlow }
            if files.count > 1, files[1].revents != 0 { readError() }
            if files[0].revents == 0 { continue }
            let got = Glibc.read(child.output, bytes, count)
            if got >= 0 { return got > 0 ? .bytes(got) : .ended }
            if errno != EINTR { return .ended }
        }
    }

    /// Reads the whole output; returns `nil` if the child is stuck.
    func text() -> String? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            switch read(piece.count, into: &piece) {
            case .bytes(let count): bytes += piece[..<count]
            case .ended: return String(decoding: bytes, as: UTF8.self)
            case .tooSlow: return nil
            }
        }
    }

    /// Waits for the process to exit after its output has ended.
    ///
    /// - Returns: `nil` if it succeeded; otherwise its last error message, or how it ended.
    func farewell() -> String? {
        let patience = Self.timeoutMilliseconds
        var files = [pollfd(fd: child.errors, events: Int16(POLLIN), revents: 0)]
        while !errorsEnded, poll(&files, 1, patience) != 0 { readError() }
        guard errorsEnded, let end = child.wait(forMilliseconds: patience) else {
            child.kill()
            return "it did not exit after its output"
        }
        switch end {
        case .exit(status: 0): return nil
        case .exit(let status):
            let words = String(decoding: errorText, as: UTF8.self)
            return words.split(separator: "\n").last.map(String.init)
                ?? "it exited with status \(status)"
        case .signal(SIGSYS): return "its sandbox stopped it"
        case .signal(let signal): return "it was terminated by signal \(signal)"
        case .unknown: return "its exit status is unknown"
        }
    }

    private func readError() {
        var piece = [UInt8](repeating: 0, count: 512)
        let got = Glibc.read(child.errors, &piece, piece.count)
        if got == 0 || (got < 0 && errno != EINTR) { errorsEnded = true }
        if got > 0, errorText.count < Self.errorTextBytes { errorText += piece[..<got] }
    }
}
