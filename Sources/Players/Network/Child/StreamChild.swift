internal import Glibc
internal import Platform

/// A child process `ffmpeg` that delivers sound, and the ends of its pipes.
///
/// Its sandbox allows the network but no files of the user.
final class StreamChild {
    private let process: ChildProcess
    private var hasEnded = false
    /// The pipe with the sound.
    var sound: Int32 { process.output }
    /// The pipe with the log.
    var log: Int32 { process.errors }

    /// Starts the process.
    ///
    /// - Parameter arguments: The name of the program and its arguments.
    /// - Throws: The reason why it cannot be started.
    init(_ arguments: [String]) throws(StreamError) {
        var launch = ChildProcess.Launch(arguments)
        (launch.output, launch.errors) = (.pipe, .pipe)
        launch.sandbox = .init(mayUseNetwork: true)
        do throws(SystemError) {
            process = try ChildProcess(launch)
        } catch {
            throw error.number == ENOENT
                ? .other("ffmpeg, which reads streams, is not installed") : .other(error.message)
        }
        for end in [process.output, process.errors] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    /// Ends the process if it still runs, and waits for that.
    ///
    /// - Returns: Whether the process exited without an error.
    @discardableResult
    func end() -> Bool {
        if hasEnded { return false }
        hasEnded = true
        return process.kill() == .exit(status: 0)
    }
}
