internal import Glibc
internal import Synchronization
internal import Threads

/// Frees the instances that only told a latency, once no plugin has been made for a while.
///
/// Some plugins stop threads of their own when they are freed, and wait a tenth of a second for each: nothing that a
/// start should wait for. (The others are freed at once, so that the next instance gets their memory.) Nor may it happen while others are made, for some share data without a lock.
final class Rehearsals: Sendable {
    private static let patienceMicroseconds: UInt32 = 500_000

    private struct Kept: @unchecked Sendable {
        // SAFETY: an instance is no plain value, but only the thread that holds the world's lock takes its rehearsal.
        weak var instance: PluginInstance?
    }

    private struct State {
        var kept: [Kept] = []
        /// How many were kept in all.
        var count = 0
        var hasThread = false
    }

    private let state = Mutex(State())

    /// How many threads the process has.
    static var threadCount: Int {
        guard let folder = opendir("/proc/self/task") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }

    /// Keeps a rehearsal with the instance that it was for, until the time has come or that instance is freed.
    func keep(_ rehearsal: PluginInstance, of instance: PluginInstance, world: PluginWorld) {
        instance.rehearsal = rehearsal
        let kept = Kept(instance: instance)
        let needsThread = state.withLock { state in
            state.kept.append(kept)
            state.count += 1
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard needsThread else { return }
        let isStarted = OwnThread.start(name: "rehearsals") { self.freeWhenQuiet(world) }
        if !isStarted { state.withLock { $0.hasThread = false } }
    }

    /// Waits until a while has passed without a new one, then frees all.
    private func freeWhenQuiet(_ world: PluginWorld) {
        var before = -1
        while case let count = state.withLock({ $0.count }), count != before {
            before = count
            usleep(Self.patienceMicroseconds)
        }
        let kept = state.withLock { state in
            defer { state.kept = [] }
            state.hasThread = false
            return state.kept
        }
        for kept in kept { world.exclusively { kept.instance?.rehearsal = nil } }
    }
}
