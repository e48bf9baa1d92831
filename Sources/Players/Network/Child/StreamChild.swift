internal import CLinux
internal import Glibc

/// A process `ffmpeg` that gives sound, and the ends of its pipes.
final class StreamChild {
    private var process: pid_t
    /// Where its sound comes.
    let sound: Int32
    /// Where its log comes.
    let log: Int32

    /// Starts it.
    ///
    /// - Parameter arguments: The program's name and its arguments.
    /// - Throws: Why it cannot be started.
    init(_ arguments: [String]) throws(StreamFault) {
        var words: [UnsafePointer<CChar>?] = arguments.map { UnsafePointer(strdup($0)) }
        words.append(nil)
        var sound: Int32 = -1
        var log: Int32 = -1
        let process = linux_start_child(words, &sound, &log)
        let reason = errno
        for word in words { free(UnsafeMutablePointer(mutating: word)) }
        guard process > 0 else {
            throw reason == ENOENT
                ? .other("ffmpeg is not installed, which reads streams")
                : .other(String(cString: strerror(reason)))
        }
        self.process = process
        self.sound = sound
        self.log = log
        for end in [sound, log] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    /// Ends it, unless it has ended, and waits for that.
    ///
    /// - Returns: Whether it ended by itself, with all done that it was to do.
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
