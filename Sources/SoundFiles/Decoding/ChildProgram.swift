internal import CLinux
internal import Glibc

/// A child process and its output.
final class ChildProgram {
    /// The longest silence before the child is considered stuck, in milliseconds.
    private static let patienceMilliseconds: Int32 = 20_000
    /// The number of bytes that are kept from the start of its error output.
    private static let errorTextBytes = 2000
    private let output: Int32
    private let errors: Int32
    private var child: pid_t
    private var errorText: [UInt8] = []
    private var errorsEnded = false

    /// Starts the program; the arguments do not pass through a shell.
    ///
    /// - Parameters:
    ///   - arguments: The name of the program, which is searched in PATH, and its arguments.
    ///   - file: The only file of the user that the program may read.
    /// - Throws: `StartError` if the program does not exist or cannot be started.
    init(_ arguments: [String], reading file: String) throws(StartError) {
        let words = arguments.map { strdup($0) }
        defer { for word in words { free(word) } }
        let list: [UnsafePointer<CChar>?] = words.map { UnsafePointer($0) } + [nil]
        var (output, errors) = (Int32(-1), Int32(-1))
        child = file.withCString { file in
            var permissions = linux_child_permissions(file: file, mayUseNetwork: false)
            return linux_start_child(list, &permissions, &output, &errors)
        }
        if child < 0 { throw StartError(reason: errno) }
        (self.output, self.errors) = (output, errors)
    }

    deinit {
        close(output)
        close(errors)
        if child > 0 { linux_end_child(child) }
    }

    /// The reason why a program did not start, as an error number of the system.
    struct StartError: Error {
        let reason: Int32
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
            var files = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
            if !errorsEnded { files.append(pollfd(fd: errors, events: Int16(POLLIN), revents: 0)) }
            let ready = poll(&files, nfds_t(files.count), Self.patienceMilliseconds)
            if ready == 0 { return .tooSlow }
            if files.count > 1, files[1].revents != 0 { readError() }
            if files[0].revents == 0 { continue }
            let got = Glibc.read(output, bytes, count)
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
        let patience = Self.patienceMilliseconds
        var files = [pollfd(fd: errors, events: Int16(POLLIN), revents: 0)]
        while !errorsEnded, poll(&files, 1, patience) != 0 { readError() }
        var status: Int32 = -1
        guard errorsEnded, linux_await_child_for(child, patience, &status) else {
            linux_end_child(child)
            child = -1
            return "it did not exit after its output"
        }
        child = -1
        if status == 0 { return nil }
        let signal = status & 0x7f
        if signal == SIGSYS { return "its sandbox stopped it" }
        if signal != 0 { return "it was terminated by signal \(signal)" }
        let words = String(decoding: errorText, as: UTF8.self)
        return words.split(separator: "\n").last.map(String.init)
            ?? "it exited with status \(status >> 8 & 0xff)"
    }

    private func readError() {
        var piece = [UInt8](repeating: 0, count: 512)
        let got = Glibc.read(errors, &piece, piece.count)
        if got == 0 || (got < 0 && errno != EINTR) { errorsEnded = true }
        if got > 0, errorText.count < Self.errorTextBytes { errorText += piece[..<got] }
    }
}
