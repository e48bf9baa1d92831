import Realtime
import Synchronization
import Testing

@Suite("Buffers")
struct BufferTests {
    private final class Counter: Sendable {
        private let count = Atomic(0)

        var freed: Int { count.load(ordering: .relaxed) }

        func add() { count.add(1, ordering: .relaxed) }
    }

    private struct Element: ~Copyable {
        let counter: Counter
        var value: Int

        deinit { counter.add() }
    }

    @Test("free each element once")
    func freeing() {
        let counter = Counter()
        do {
            let buffer = Buffer<Element>(count: 3) { Element(counter: counter, value: $0) }
            buffer[1].value += 5
            #expect(buffer[1].value == 6 && buffer[2].value == 2)
        }
        #expect(counter.freed == 3)
        do {
            let buffer = Buffer(containing: Element(counter: counter, value: 7))
            #expect(buffer.count == 1 && buffer.start.pointee.value == 7)
        }
        #expect(counter.freed == 4)
    }
}
