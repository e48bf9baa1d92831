import Glibc
import JackHost
import Testing
import Threads

struct WholeCallbackTests {
    @Test("a thread that JACK ends in the middle of a callback leaves no lock behind")
    func cancelled() {
        for round in 0..<1000 {
            let mailbox = Mailbox<[Int]>()
            endPoster(to: mailbox, after: round % 200)
            // Another thread asks for memory as well, and has to get an answer.
            let errand = Errand { mailbox.post([Int](0..<50)) }
            guard errand.isDone(withinSeconds: 5) else {
                Issue.record("the mailbox is locked for ever")
                return
            }
            #expect(!mailbox.wait(untilNanoseconds: 0).isEmpty)
        }
    }

    /// Starts a thread that posts letters as fast as it can, and ends it as libjack does.
    ///
    /// The count says how long it lives after its first letter, in calls of the system.
    private func endPoster(to mailbox: Mailbox<[Int]>, after count: Int) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(mailbox)
        pthread_create(
            &thread, nil,
            { context in
                pthread_setcanceltype(Int32(PTHREAD_CANCEL_ASYNCHRONOUS), nil)
                guard let context else { return nil }
                while true {
                    WholeCallback.run {
                        let mailbox = Unmanaged<Mailbox<[Int]>>.fromOpaque(context)
                            .takeUnretainedValue()
                        mailbox.post([Int](0..<50))
                    }
                    // It may be ended here: what takes the end for a short while only is to be caught as well.
                    WholeCallbackTests.idle(3)
                }
            }, context.toOpaque())
        // Without sleep, so that the two threads run side by side.
        while mailbox.wait(untilNanoseconds: 0).isEmpty {}
        Self.idle(count)
        pthread_cancel(thread)
        pthread_join(thread, nil)
        context.release()
    }

    /// Passes the time without a lock in hand.
    private static func idle(_ calls: Int) { for _ in 0..<calls { _ = getppid() } }
}
