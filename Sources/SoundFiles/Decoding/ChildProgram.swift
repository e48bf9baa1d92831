internal import CLinux
internal import Glibc

/// A program that runs beside us, and what it writes.
final class ChildProgram {
    /// How long it may write nothing.
    private static let patienceMilliseconds: Int32 = 20_000
    /// What is kept of its complaints, from the first on.
    private static let complaintBytes = 2000
    private let output: Int32
    private let errors: Int32
    private var child: pid_t
    private var complaint: [UInt8] = []
    private var errorsEnded = false

    /// Starts it; what the arguments say reaches it as it is, since no shell reads them.
    ///
    /// - Parameter arguments: The program, which is looked for in PATH, and what it is told.
    /// - Throws: `StartFault` where there is no such program, or it can't be started.
    init(_ arguments: [String]) throws(StartFault) {
        let words = arguments.map { strdup($0) }
        defer { for word in words { free(word) } }
        let list: [UnsafePointer<CChar>?] = words.map { UnsafePointer($0) } + [nil]
        var (output, errors) = (Int32(-1), Int32(-1))
        child = linux_start_child(list, &output, &errors)
        if child < 0 { throw StartFault(reason: errno) }
        (self.output, self.errors) = (output, errors)
    }

    deinit {
        close(output)
        close(errors)
        if child > 0 { linux_end_child(child) }
    }

    /// Why a program did not start: the system's error number.
    struct StartFault: Error {
        let reason: Int32
    }

    /// What came of a reading.
    enum Reading {
        case bytes(Int)
        case ended
        case tooSlow
    }

    /// Waits for what it writes next.
    func read(_ count: Int, into place: UnsafeMutableRawPointer) -> Reading {
        while true {
            var files = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
            if !errorsEnded { files.append(pollfd(fd: errors, events: Int16(POLLIN), revents: 0)) }
            let ready = poll(&files, nfds_t(files.count), Self.patienceMilliseconds)
            if ready == 0 { return .tooSlow }
            if files.count > 1, files[1].revents != 0 { takeComplaint() }
            if files[0].revents == 0 { continue }
            let got = Glibc.read(output, place, count)
            if got >= 0 { return got > 0 ? .bytes(got) : .ended }
            if errno != EINTR { return .ended }
        }
    }

    /// All that it writes, and its end; nil where it takes too long.
    func text() -> String? {
        var bytes: [UInt8] = []
        let piece = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 1)
        defer { piece.deallocate() }
        while true {
            switch read(4096, into: piece) {
            case .bytes(let count):
                bytes += UnsafeRawBufferPointer(start: piece, count: count)
            case .ended: return String(decoding: bytes, as: UTF8.self)
            case .tooSlow: return nil
            }
        }
    }

    /// Waits until it is gone, once its output has ended.
    ///
    /// - Returns: Nothing where it is content; otherwise what it said, or how it ended.
    func farewell() -> String? {
        while !errorsEnded { takeComplaint() }
        let status = linux_await_child(child)
        child = -1
        if status == 0 { return nil }
        let signal = status & 0x7f
        if signal != 0 { return "it was ended by signal \(signal)" }
        let words = String(decoding: complaint, as: UTF8.self)
        return words.split(separator: "\n").last.map(String.init)
            ?? "it ended with status \(status >> 8 & 0xff)"
    }

    private func takeComplaint() {
        var piece = [UInt8](repeating: 0, count: 512)
        let got = Glibc.read(errors, &piece, piece.count)
        if got == 0 || (got < 0 && errno != EINTR) { errorsEnded = true }
        if got > 0, complaint.count < Self.complaintBytes { complaint += piece[..<got] }
    }
}
