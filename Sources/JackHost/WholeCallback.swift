internal import CJack

/// What a callback of JACK's does, done whole.
///
/// When a client closes, libjack ends its threads wherever they are. One that holds a lock then, of the allocator or of a
/// mailbox, holds it for ever.
package enum WholeCallback {
    /// Runs a body that the thread's end has to wait for.
    ///
    /// - Parameters:
    ///   - isLast: Whether the thread ends by itself afterwards, and by nobody else.
    ///   - body: What it does.
    package static func run(isLast: Bool = false, _ body: () -> Void) {
        let held = jack_rt_hold_cancel()
        body()
        if !isLast { jack_rt_allow_cancel(held) }
    }
}
