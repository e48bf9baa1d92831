internal import Glibc

/// Actions that run when the program crashes, before the handlers that were installed earlier.
package enum CrashActions {
    /// The actions, at an address that signal handlers may read.
    private struct Kept {
        var count = 0
        /// The earlier handler of each signal.
        var watchers: UnsafeMutablePointer<sigaction>
        var actions: UnsafeMutablePointer<@convention(c) () -> Void>
    }

    private static let maximumActions = 4
    private static let signalCount = 65
    /// The signals of a crash.
    private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP]

    // SAFETY: allocated once and never freed. Only `add` writes to it, on one thread at a time and
    // before the handlers that read it can see the new action.
    nonisolated(unsafe) private static let kept: UnsafeMutablePointer<Kept> = {
        let kept = UnsafeMutablePointer<Kept>.allocate(capacity: 1)
        let watchers = UnsafeMutablePointer<sigaction>.allocate(capacity: signalCount)
        watchers.initialize(repeating: sigaction(), count: signalCount)
        kept.initialize(to: Kept(watchers: watchers, actions: .allocate(capacity: maximumActions)))
        return kept
    }()

    /// Adds an action, which may call only functions that signal handlers may call, and must return
    /// soon.
    ///
    /// Called on one thread at a time. There is room for four actions.
    package static func add(_ action: @escaping @convention(c) () -> Void) {
        let isFirst = kept.pointee.count == 0
        guard kept.pointee.count < maximumActions else { return }
        (kept.pointee.actions + kept.pointee.count).initialize(to: action)
        kept.pointee.count += 1
        guard isFirst else { return }
        for crash in crashes {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { CrashActions.crash($0) }
            action.sa_flags = SA_NODEFER | SA_ONSTACK
            sigaction(crash, &action, &kept.pointee.watchers[Int(crash)])
        }
    }

    /// Runs the actions, and leaves the crash to the earlier handler.
    private static func crash(_ number: Int32) {
        sigaction(number, &kept.pointee.watchers[Int(number)], nil)
        for index in 0..<kept.pointee.count { kept.pointee.actions[index]() }
        // A memory or arithmetic fault happens again when the handler returns.
        if number == SIGABRT || number == SIGTRAP { raise(number) }
    }
}
