internal import CJack

/// What a callback of JACK's does, done whole.
///
/// When a client closes, libjack ends its threads wherever they are. One that holds a lock then, of the allocator, of a
/// mailbox or of libjack's own, holds it for ever.
package enum WholeCallback {
    /// Where a thread may be ended after a callback, in libjack's own code.
    package enum Ending: Sendable {
        /// As it was before. For the audio thread: libjack waits there for its next cycle in a way that nothing else ends.
        case anywhere
        /// Where it waits for the system.
        case atWaits
        /// Nowhere: it ends by itself.
        case nowhere
    }

    /// Runs a body that the thread's end has to wait for.
    ///
    /// - Parameters:
    ///   - ending: Where it may be ended from here on.
    ///   - body: What it does.
    package static func run(ending: Ending, _ body: () -> Void) {
        let held = jack_rt_hold_cancel()
        body()
        switch ending {
        case .anywhere: jack_rt_allow_cancel(held)
        case .atWaits: jack_allow_cancel_at_waits(held)
        case .nowhere: break
        }
    }
}
