import Glibc
import JackHost
import Testing
import Platform

struct UncancelledCallbackTests {
    @Test("a thread that JACK cancels in the middle of a callback leaves no lock behind")
    func cancelled() {
        for round in 0..<1000 {
            let mailbox = Mailbox<[Int]>()
            endPoster(to: mailbox, after: round % 200)
            // Another thread allocates memory and posts too, and must succeed.
            let task = BlockingTask { mailbox.post([Int](0..<50)) }
            guard task.isDone(withinSeconds: 5) else {
                Issue.record("the mailbox is locked for ever")
                return
            }
            #expect(!mailbox.wait(untilNanoseconds: 0).isEmpty)
        }
    }

    /// Starts a thread that posts messages as fast as it can, and cancels it as libjack does.
    ///
    /// - Parameters:
    ///   - mailbox: The mailbox that the thread posts to.
    ///   - count: The number of system calls between the first message and the cancellation.
    private func endPoster(to mailbox: Mailbox<[Int]>, after count: Int) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(mailbox)
        pthread_create(
            &thread, nil,
            { context in
                pthread_setcanceltype(Int32(PTHREAD_CANCEL_ASYNCHRONOUS), nil)
                guard let context else { return nil }
                while true {
                    UncancelledCallback.run {
                        let mailbox = Unmanaged<Mailbox<[Int]>>.fromOpaque(context)
                            .takeUnretainedValue()
                        mailbox.post([Int](0..<50))
                    }
                    // The thread may be cancelled here. The wait is short, so that the test also
                    // finds brief moments in which a callback can be cancelled.
                    UncancelledCallbackTests.idle(3)
                }
            }, context.toOpaque())
        // The loop does not sleep, so that the two threads run in parallel.
        while mailbox.wait(untilNanoseconds: 0).isEmpty {}
        Self.idle(count)
        pthread_cancel(thread)
        pthread_join(thread, nil)
        context.release()
    }

    /// Spends time in system calls without holding a lock.
    private static func idle(_ calls: Int) { for _ in 0..<calls { _ = getppid() } }
}
