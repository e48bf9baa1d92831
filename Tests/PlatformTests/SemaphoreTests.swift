import Testing
import Platform

struct SemaphoreTests {
    @Test("each signal ends one wait, even if it comes before the wait")
    func counts() {
        let semaphore = Semaphore()
        for _ in 0..<3 { semaphore.signal() }
        semaphore.signaller.signal()
        semaphore.wait()
        semaphore.wait(untilNanoseconds: .max)
        let remaining = semaphore.clear()
        #expect(remaining == 2)
    }

    @Test("a signal from another thread ends a wait without a limit")
    func otherThread() {
        let semaphore = Semaphore()
        let signaller = semaphore.signaller
        let task = BlockingTask { signaller.signal() }
        semaphore.wait()
        task.wait()
        let remaining = semaphore.clear()
        #expect(remaining == 0)
    }

    @Test("a wait whose time is over returns without a signal")
    func timeout() {
        let semaphore = Semaphore()
        semaphore.wait(untilNanoseconds: 0)
        semaphore.signal()
        let remaining = semaphore.clear()
        #expect(remaining == 1)
    }
}
