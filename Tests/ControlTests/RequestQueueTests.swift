import SessionCore
import Testing

import Control

@Suite("queued requests")
struct RequestQueueTests {
    private let sender = Endpoint.loopback(port: 1)

    private func asked(_ content: Asked.Content) -> Asked {
        Asked(sender: sender, path: "/", content: content)
    }

    private func set(_ address: String, _ number: Double) -> Asked {
        asked(.session(.set(address, .number(number))))
    }

    /// Adds requests to a queue, and returns whether all of them fit.
    private func put(_ all: [Asked], _ queue: inout RequestQueue) -> Bool {
        all.allSatisfy { queue.put($0) }
    }

    /// Returns all requests that leave a queue.
    private func drain(_ queue: inout RequestQueue) -> [Asked.Content] {
        var contents: [Asked.Content] = []
        while let (number, asked) = queue.next(nowSeconds: 0) {
            contents.append(asked.content)
            _ = queue.finish(number)
        }
        return contents
    }

    @Test("a newer value replaces an older one that waits")
    func coalescing() {
        var queue = RequestQueue()
        #expect(put([set("a.b", 1), set("a.c", 2), set("a.b", 3)], &queue))
        #expect(drain(&queue) == [set("a.b", 3).content, set("a.c", 2).content])
    }

    @Test("no value overtakes a scene or a query")
    func barriers() {
        for barrier: SessionRequest in [
            .set("scene", .text("x")), .get("a.b"), .perform(.tap), .dump,
        ] {
            var queue = RequestQueue()
            let all = [set("a.b", 1), asked(.session(barrier)), set("a.b", 3)]
            #expect(put(all, &queue))
            #expect(drain(&queue) == all.map(\.content))
        }
    }

    @Test("the queue limits both the requests in progress and those that wait")
    func bounds() {
        var queue = RequestQueue()
        let all = (0..<RequestQueue.mostWaiting).map { asked(.session(.get("\($0)"))) }
        #expect(put(all, &queue))
        #expect(!put([asked(.session(.get("one more")))], &queue))
        var count = 0
        while queue.next(nowSeconds: 0) != nil { count += 1 }
        #expect(count == RequestQueue.mostUnderWay)
        let (early, late) = (queue.giveUp(nowSeconds: 1), queue.giveUp(nowSeconds: 11))
        #expect(early.isEmpty)
        #expect(late.count == RequestQueue.mostUnderWay)
        let (lost, next) = (queue.finish(1), queue.next(nowSeconds: 11))
        #expect(lost == nil)
        #expect(next != nil)
    }

    @Test("a sync mark returns only after all earlier requests are answered")
    func sync() {
        var queue = RequestQueue()
        #expect(put([asked(.session(.get("a"))), asked(.sync(7))], &queue))
        let first = queue.next(nowSeconds: 0)
        let early = queue.next(nowSeconds: 0)
        #expect(early == nil)
        _ = queue.finish(first?.number ?? 0)
        let sign = queue.next(nowSeconds: 0)
        #expect(sign?.asked.content == .sync(7))
    }
}
