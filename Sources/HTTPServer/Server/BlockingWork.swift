internal import NIOCore
internal import Platform
internal import Synchronization

/// Work that may wait, on other threads, with results for the server's thread.
final class BlockingWork: Sendable {
    /// The largest number of tasks at once.
    private static let mostTasks = 8

    private struct State {
        var loop: (any EventLoop)?
        var count = 0
    }

    private let state: Mutex<State>
    private let loop: any EventLoop
    /// The server's thread.
    var eventLoop: any EventLoop { loop }

    init(_ loop: any EventLoop) {
        self.loop = loop
        state = Mutex(State(loop: loop))
    }

    /// Runs work on another thread, and passes its result on the server's thread.
    ///
    /// - Returns: Whether there was room for the work.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, _ receive: @escaping (Value) -> Void
    ) -> Bool {
        let mayBegin = state.withLock { state in
            guard state.count < Self.mostTasks, state.loop != nil else { return false }
            state.count += 1
            return true
        }
        guard mayBegin else { return false }
        let bound = NIOLoopBound(receive, eventLoop: loop)
        _ = BlockingTask { [self] in
            let value = work()
            state.withLock { $0.count -= 1 }
            execute { bound.value(value) }
        }
        return true
    }

    /// Calls a function on the server's thread, unless the server has ended.
    func execute(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.loop }?.execute(body)
    }

    /// Drops the results of all work that is not done.
    func end() { state.withLock { $0.loop = nil } }
}
