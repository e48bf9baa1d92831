internal import CLinux
internal import Glibc
internal import Synchronization

/// The names of the plugins whose code may print to standard output or standard error.
///
/// A program that captures its own output follows these names to say which plugin printed a line.
/// In other programs the calls do nothing. Any thread except the audio thread may use it.
package enum PrintSource {
    /// The functions of a program that captures its output.
    package struct Follower: Sendable {
        /// Called before the output belongs to another plugin; `nil` if no plugin is known.
        let follow: @Sendable (String?) -> Void
        /// Called with each line of a plugin.
        let deliver: @Sendable (_ line: String, _ plugin: String) -> Void

        /// Creates a follower from its parts; any thread calls them.
        package init(
            follow: @escaping @Sendable (String?) -> Void,
            deliver: @escaping @Sendable (_ line: String, _ plugin: String) -> Void
        ) {
            self.follow = follow
            self.deliver = deliver
        }
    }

    private struct State {
        var follower: Follower?
        /// The plugins whose code runs now; the last one began last.
        var running: [(id: UInt64, plugin: String)] = []
        var nextID: UInt64 = 0
    }

    private static let state = Mutex(State())

    /// Sets the follower for the rest of the program.
    package static func set(_ follower: Follower) { state.withLock { $0.follower = follower } }

    /// Runs a body in which a plugin may print on this thread.
    ///
    /// If several plugins run at the same time, the last one counts.
    package static func during<Result, Failure: Error>(
        _ plugin: String, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let id = begin(plugin)
        defer { end(id) }
        return try body()
    }

    /// Delivers a line of a plugin to the follower.
    ///
    /// - Returns: Whether there is a follower.
    package static func put(_ line: String, of plugin: String) -> Bool {
        guard let follower = state.withLock({ $0.follower }) else { return false }
        follower.deliver(line, plugin)
        return true
    }

    /// Returns the end of a pipe to which a child process with a plugin may write, and that the
    /// caller closes; `nil` if there is no follower, descriptor or thread.
    ///
    /// Writing to it never waits. The lines belong to the plugin, until all copies are closed.
    package static func makePipe(of plugin: String) -> Int32? {
        guard let follower = state.withLock({ $0.follower }) else { return nil }
        var ends: [Int32] = [-1, -1]
        guard linux_pipe(&ends) == 0 else { return nil }
        let (reading, writing) = (ends[0], ends[1])
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        let isStarted = OwnThread.start(name: "printed", stack: .small) {
            var splitter = LineSplitter()
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(reading, &bytes, bytes.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                splitter.add(bytes[..<count]) { follower.deliver($0, plugin) }
            }
            splitter.end { follower.deliver($0, plugin) }
            close(reading)
        }
        if isStarted { return writing }
        close(reading)
        close(writing)
        return nil
    }

    private static func begin(_ plugin: String) -> UInt64 {
        state.withLock { state in
            state.nextID += 1
            state.running.append((state.nextID, plugin))
            state.follower?.follow(plugin)
            return state.nextID
        }
    }

    private static func end(_ id: UInt64) {
        state.withLock { state in
            state.running.removeAll { $0.id == id }
            state.follower?.follow(state.running.last?.plugin)
        }
    }
}
