import Glibc
import JackHost
import Show
import Testing

struct WholeCallbackTests {
    @Test("a thread that JACK ends in the middle of a callback leaves no lock behind")
    func cancelled() {
        for _ in 0..<200 {
            let mailbox = Mailbox<[Int]>()
            endPoster(to: mailbox)
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
    private func endPoster(to mailbox: Mailbox<[Int]>) {
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
                }
            }, context.toOpaque())
        usleep(200)
        pthread_cancel(thread)
        pthread_join(thread, nil)
        context.release()
    }
}
