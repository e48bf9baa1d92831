internal import CRealtime
internal import Platform

/// A thread that renders one block each time it is woken, as JACK's thread of a client does.
///
/// It sleeps between blocks, so each block begins as it does live: after a wake-up, perhaps on
/// another core, and with caches that other threads have used.
final class AudioThread {
    private let turn = Turn()
    private let thread: OwnThread

    /// The block to render.
    private final class Turn: @unchecked Sendable {
        // SAFETY: the thread uses the function only between the signals `begin` and `end`, and others
        // only outside of them.
        var body: (() -> Void)?
        let begin = Semaphore()
        let end = Semaphore()

        /// Runs the function, without a reference to it afterwards; returns whether there was one.
        func takePlace() -> Bool {
            body?()
            return body != nil
        }
    }

    /// Starts the thread, with real-time priority if that is permitted; `nil` if the system has no
    /// thread left.
    init?(_ scheduling: RealtimeThread) {
        let thread = OwnThread(name: "audio") { [turn] in
            scheduling.enter()
            rt_flush_denormals()
            turn.begin.wait()
            while turn.takePlace() {
                turn.end.signal()
                turn.begin.wait()
            }
        }
        guard let thread else { return nil }
        self.thread = thread
    }

    deinit {
        turn.begin.signal()
        thread.join()
    }

    /// Wakes the thread, and waits until it has rendered a block.
    func run(_ body: () -> Void) {
        withoutActuallyEscaping(body) { body in
            turn.body = body
            turn.begin.signal()
            turn.end.wait()
            turn.body = nil
        }
    }
}
