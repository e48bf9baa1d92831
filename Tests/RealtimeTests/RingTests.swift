import Glibc
import Realtime
import Testing

@Suite("Ring")
struct RingTests {
    @Test("returns elements in order, over many rounds")
    func order() {
        let ring = Ring<Int>(capacity: 4)
        for round in 0..<1000 {
            for element in 0..<3 { #expect(ring.producer.push(3 * round + element)) }
            #expect(ring.consumer.peek() == 3 * round)
            for element in 0..<3 { #expect(ring.consumer.pop() == 3 * round + element) }
            #expect(ring.consumer.pop() == nil)
            #expect(ring.consumer.peek() == nil)
        }
    }

    @Test(
        "accepts as many elements as its capacity, then returns them",
        arguments: [(1, 2), (2, 2), (3, 4), (100, 128), (256, 256)])
    func capacity(_ wanted: Int, _ rounded: Int) {
        let ring = Ring<Int>(capacity: wanted)
        for element in 0..<rounded { #expect(ring.producer.push(element)) }
        #expect(!ring.producer.push(-1))
        #expect(ring.consumer.pop() == 0)
        #expect(ring.producer.push(rounded))
        #expect(!ring.producer.push(-1))
        for element in 1...rounded { #expect(ring.consumer.pop() == element) }
        #expect(ring.consumer.pop() == nil)
    }

    @Test("loses and reorders nothing between two threads")
    func threads() {
        let count = 200_000
        let ring = Ring<Int>(capacity: 64)
        let thread = startThread {
            var next = 0
            while next < count {
                if ring.producer.push(next) { next += 1 } else { sched_yield() }
            }
        }
        var expected = 0
        var isInOrder = true
        while expected < count {
            guard let element = ring.consumer.pop() else {
                sched_yield()
                continue
            }
            isInOrder = isInOrder && element == expected
            expected += 1
        }
        pthread_join(thread, nil)
        #expect(isInOrder)
        #expect(ring.consumer.pop() == nil)
    }

    /// Runs work on its own thread, which the caller must join.
    private func startThread(_ work: @escaping @Sendable () -> Void) -> pthread_t {
        final class Work {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(Work(work)).toOpaque())
        return thread
    }
}
