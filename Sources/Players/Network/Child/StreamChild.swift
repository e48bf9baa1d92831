internal import CLinux
internal import Glibc

/// A child process `ffmpeg` that delivers sound, and the ends of its pipes.
///
/// Its sandbox allows the network but no files of the user.
final class StreamChild {
    private var process: pid_t
    /// The pipe with the sound.
    let sound: Int32
    /// The pipe with the log.
    let log: Int32

    /// Starts the process.
    ///
    /// - Parameter arguments: The name of the program and its arguments.
    /// - Throws: The reason why it cannot be started.
    init(_ arguments: [String]) throws(StreamError) {
        var words: [UnsafePointer<CChar>?] = arguments.map { UnsafePointer(strdup($0)) }
        words.append(nil)
        var sound: Int32 = -1
        var log: Int32 = -1
        var permissions = linux_child_permissions(file: nil, mayUseNetwork: true)
        let process = linux_start_child(words, &permissions, &sound, &log)
        let reason = errno
        for word in words { free(UnsafeMutablePointer(mutating: word)) }
        guard process > 0 else {
            throw reason == ENOENT
                ? .other("ffmpeg, which reads streams, is not installed")
                : .other(String(cString: strerror(reason)))
        }
        self.process = process
        self.sound = sound
        self.log = log
        for end in [sound, log] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    /// Ends the process if it still runs, and waits for that.
    ///
    /// - Returns: Whether the process exited without an error.
    @discardableResult
    func end() -> Bool {
        guard process > 0 else { return false }
        defer { process = -1 }
        return linux_end_child(process) == 0
    }

    deinit {
        end()
        Glibc.close(sound)
        Glibc.close(log)
    }
}
