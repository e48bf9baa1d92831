internal import CJack

/// What a callback of JACK's does, done whole.
///
/// When a client closes, libjack ends its threads wherever they are. One that holds a lock then, of the allocator or of a
/// mailbox, holds it for ever.
package enum WholeCallback {
    /// Runs a body that the thread's end has to wait for.
    package static func run(_ body: () -> Void) {
        let held = jack_rt_hold_cancel()
        body()
        jack_rt_allow_cancel(held)
    }
}
