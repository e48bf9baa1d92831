internal import CJack

/// Lets callbacks of JACK run to their end, even if their thread is cancelled.
///
/// When a client closes, libjack cancels its threads wherever they are. If a thread holds a lock of
/// the allocator or of a mailbox then, the lock is never released.
package enum UncancelledCallback {
    /// Runs a body before the thread may be cancelled.
    ///
    /// - Parameters:
    ///   - isLast: Whether the thread ends on its own afterwards, so that it must not be cancelled.
    ///   - body: The work of the callback.
    package static func run(isLast: Bool = false, _ body: () -> Void) {
        let held = jack_rt_hold_cancel()
        body()
        if !isLast { jack_rt_allow_cancel(held) }
    }
}
