internal import Glibc
internal import Synchronization
internal import Platform

/// Instances that only served to determine a latency, and that are freed later.
///
/// They are freed after a pause in the loading of plugins. Some plugins stop their own threads when
/// they are freed, and wait 0.1 s for each. The program's start must not wait for that. (Other
/// plugins are freed at once, so that the next instance gets their memory.) No other plugin may be
/// created at the same time, because some plugins share data without a lock.
final class TrialInstances: Sendable {
    private static let quietMicroseconds: UInt32 = 500_000

    private struct Kept: @unchecked Sendable {
        // SAFETY: an instance is not a plain value, but only the thread that holds the world's lock
        // removes its trial instance.
        weak var instance: PluginInstance?
    }

    private struct State {
        var kept: [Kept] = []
        /// The total number of trial instances.
        var count = 0
        var hasThread = false
    }

    private let state = Mutex(State())

    /// The number of threads in this process.
    static var threadCount: Int {
        guard let folder = opendir("/proc/self/task") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }

    /// Keeps a trial instance until its instance is freed, or until all trial instances are freed.
    func keep(_ trialInstance: PluginInstance, of instance: PluginInstance, world: PluginWorld) {
        instance.trialInstance = trialInstance
        let kept = Kept(instance: instance)
        let needsThread = state.withLock { state in
            state.kept.append(kept)
            state.count += 1
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard needsThread else { return }
        let isStarted = OwnThread.start(name: "trial instances") { self.freeWhenQuiet(world) }
        if !isStarted { state.withLock { $0.hasThread = false } }
    }

    /// Waits until no trial instance has been added for a while, then frees all of them.
    private func freeWhenQuiet(_ world: PluginWorld) {
        var before = -1
        while case let count = state.withLock({ $0.count }), count != before {
            before = count
            usleep(Self.quietMicroseconds)
        }
        let kept = state.withLock { state in
            defer { state.kept = [] }
            state.hasThread = false
            return state.kept
        }
        for kept in kept { world.exclusively { kept.instance?.trialInstance = nil } }
    }
}
