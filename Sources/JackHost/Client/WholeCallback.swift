internal import CJack

/// Runs callbacks of JACK to their end.
///
/// When a client closes, libjack cancels its threads wherever they are. A thread that holds a lock then, of the allocator
/// or of a mailbox, holds it for ever.
package enum WholeCallback {
    /// Runs a body before the thread may be cancelled.
    ///
    /// - Parameters:
    ///   - isLast: Whether the thread ends on its own afterwards, so that it must not be cancelled.
    ///   - body: The work.
    package static func run(isLast: Bool = false, _ body: () -> Void) {
        let held = jack_rt_hold_cancel()
        body()
        if !isLast { jack_rt_allow_cancel(held) }
    }
}
