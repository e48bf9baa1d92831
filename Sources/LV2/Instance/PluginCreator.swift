internal import CRealtime
internal import Platform
internal import Processing
internal import Synchronization

/// Creates plugins on a separate thread, and gives up a plugin whose creation does not return.
///
/// Code in this process cannot be interrupted, so the thread of such a plugin continues for ever, and
/// another thread creates the next plugins.
final class PluginCreator: Sendable {
    /// The time after which a creation is reported, in seconds.
    private static let noticeSeconds = 5.0

    /// The time after which a creation is given up, in seconds.
    private let limitSeconds: Double
    private let state = Mutex(State())

    private struct State {
        /// The jobs of the current thread; `nil` before the thread starts.
        var jobs: Mailbox<Job>?
        /// The plugins that were given up.
        var stuck: Set<String> = []
    }

    /// A message to the creating thread.
    private enum Job: Sendable {
        case create(Attempt)
        case end
    }

    /// Creates a creator without a thread, which starts at its first use.
    init(limitSeconds: Double) { self.limitSeconds = limitSeconds }

    deinit { state.withLock { $0.jobs?.post(.end) } }

    /// Creates a plugin, and waits until that is done.
    ///
    /// - Parameters:
    ///   - shape: The plugin.
    ///   - body: Creates it, on the separate thread.
    /// - Returns: The plugin.
    /// - Throws: `PluginError` if the body throws it, or if the plugin is given up now or was
    ///   before.
    func create(
        _ shape: PluginShape, _ body: @escaping () throws(PluginError) -> PluginInstance
    ) throws(PluginError) -> PluginInstance {
        let isStuck = state.withLock { $0.stuck.contains(shape.uri) }
        if isStuck {
            throw PluginError(
                "its creation did not return earlier, so it is not created until the program is "
                    + "started again")
        }
        let attempt = Attempt(body)
        guard let jobs = jobs() else { return try body() }
        jobs.post(.create(attempt))
        if attempt.isDone(withinSeconds: min(Self.noticeSeconds, limitSeconds)) {
            return try attempt.result()
        }
        PluginMessages(name: shape.description.label).say(
            "its creation takes long; songs and edits wait for it, at most \(Int(limitSeconds)) s")
        if attempt.isDone(withinSeconds: limitSeconds - Self.noticeSeconds) || !attempt.giveUp() {
            return try attempt.result()
        }
        state.withLock { state in
            state.jobs = nil
            state.stuck.insert(shape.uri)
        }
        // The thread ends if the plugin returns after all.
        jobs.post(.end)
        throw PluginError(
            "it was not created within \(limitSeconds) s; \"isolate\": true creates it "
                + "in a separate process")
    }

    /// Returns the jobs of the current thread, which is started if necessary; `nil` if there are no
    /// threads left.
    private func jobs() -> Mailbox<Job>? {
        state.withLock { state in
            if let jobs = state.jobs { return jobs }
            let jobs = Mailbox<Job>()
            let isStarted = OwnThread.start(name: "plugin creation") {
                while true {
                    for job in jobs.wait(untilNanoseconds: .max) {
                        guard case .create(let attempt) = job else { return }
                        attempt.carryOut()
                    }
                }
            }
            if isStarted { state.jobs = jobs }
            return state.jobs
        }
    }

    /// One creation, which one thread carries out and another one waits for.
    private final class Attempt: @unchecked Sendable {
        // SAFETY: the body runs on one thread while the other waits, or after it has given up and
        // uses nothing of it any more. The outcome is written before `done` is signalled.

        /// The progress: both threads may end an attempt, and the first one decides.
        private enum Progress: Int { case running, done, givenUp }

        private let body: () throws(PluginError) -> PluginInstance
        private var outcome: Result<PluginInstance, PluginError>?
        private let progress = Atomic<Int>(Progress.running.rawValue)
        private let done = Semaphore()

        init(_ body: @escaping () throws(PluginError) -> PluginInstance) { self.body = body }

        func carryOut() {
            let outcome = Result(catching: body)
            self.outcome = outcome
            guard finish(.done) else {
                // No thread waits for the plugin. It is not freed, because that may be as slow as
                // its creation.
                if case .success(let instance) = outcome { _ = Unmanaged.passRetained(instance) }
                return
            }
            done.signal()
        }

        /// Waits for the end of the attempt for a limited time.
        func isDone(withinSeconds seconds: Double) -> Bool {
            let end = rt_nanoseconds() + UInt64(max(0, seconds) * 1e9)
            while !hasFinished, rt_nanoseconds() < end { done.wait(untilNanoseconds: end) }
            return hasFinished
        }

        /// Gives up; returns `false` if the attempt has ended.
        func giveUp() -> Bool { finish(.givenUp) }

        func result() throws(PluginError) -> PluginInstance {
            guard let outcome else { preconditionFailure("the attempt has ended") }
            self.outcome = nil
            return try outcome.get()
        }

        private var hasFinished: Bool {
            progress.load(ordering: .acquiring) == Progress.done.rawValue
        }

        private func finish(_ end: Progress) -> Bool {
            progress.compareExchange(
                expected: Progress.running.rawValue, desired: end.rawValue,
                ordering: .acquiringAndReleasing
            ).exchanged
        }
    }
}
