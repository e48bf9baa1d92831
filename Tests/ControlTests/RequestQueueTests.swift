import SessionCore
import Testing

import Control

@Suite("queued requests")
struct RequestQueueTests {
    private let sender = Endpoint.loopback(port: 1)

    private func queued(_ content: QueuedRequest.Content) -> QueuedRequest {
        QueuedRequest(sender: sender, path: "/", content: content)
    }

    private func set(_ address: String, _ number: Double) -> QueuedRequest {
        queued(.session(.set(address, .number(number))))
    }

    /// Adds requests to a queue, and returns whether all of them fit.
    private func put(_ all: [QueuedRequest], _ queue: inout RequestQueue) -> Bool {
        all.allSatisfy { queue.put($0) }
    }

    /// Returns all requests that leave a queue.
    private func drain(_ queue: inout RequestQueue) -> [QueuedRequest.Content] {
        var contents: [QueuedRequest.Content] = []
        while let (number, queued) = queue.next(nowSeconds: 0) {
            contents.append(queued.content)
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
            let all = [set("a.b", 1), queued(.session(barrier)), set("a.b", 3)]
            #expect(put(all, &queue))
            #expect(drain(&queue) == all.map(\.content))
        }
    }

    @Test("the queue limits both the requests in progress and those that wait")
    func bounds() {
        var queue = RequestQueue()
        let all = (0..<RequestQueue.maximumWaiting).map { queued(.session(.get("\($0)"))) }
        #expect(put(all, &queue))
        #expect(!put([queued(.session(.get("one more")))], &queue))
        var count = 0
        while queue.next(nowSeconds: 0) != nil { count += 1 }
        #expect(count == RequestQueue.maximumUnderWay)
        let (early, late) = (queue.giveUp(nowSeconds: 1), queue.giveUp(nowSeconds: 11))
        #expect(early.isEmpty)
        #expect(late.count == RequestQueue.maximumUnderWay)
        let (lost, next) = (queue.finish(1), queue.next(nowSeconds: 11))
        #expect(lost == nil)
        #expect(next != nil)
    }

    @Test("a request whose song is being prepared delays no other, until it is given up")
    func preparing() throws {
        var queue = RequestQueue()
        #expect(put([queued(.session(.set("song", .text("x")))), queued(.sync(7))], &queue))
        let (next, blocked) = (queue.next(nowSeconds: 0), queue.next(nowSeconds: 0))
        let first = try #require(next)
        #expect(blocked == nil)
        let kept = queue.delay(first.number, by: .song("x"), nowSeconds: 1)
        #expect(kept == first.queued)
        let sign = queue.next(nowSeconds: 1)
        #expect(sign?.queued.content == .sync(7))
        #expect(!queue.isEmpty)
        // It is not a request that the session must answer soon.
        let late = queue.giveUp(nowSeconds: 30)
        #expect(late.isEmpty)
        let reminders = [1.5, 2, 2.5].map { queue.dueReminders(nowSeconds: $0).map(\.delay) }
        #expect(reminders == [[], [.song("x")], []])
        let overdue = [60.0, 62].map { queue.giveUpDelayed(nowSeconds: $0).map(\.queued) }
        #expect(overdue == [[], [first.queued]])
        let answered = queue.finish(first.number)
        #expect(answered == nil)
        #expect(queue.isEmpty)
    }

    @Test("a request whose song was prepared gets its answer")
    func prepared() throws {
        var queue = RequestQueue()
        #expect(put([queued(.session(.perform(.nextSong)))], &queue))
        let next = queue.next(nowSeconds: 0)
        let first = try #require(next)
        _ = queue.delay(first.number, by: .song("x"), nowSeconds: 0)
        let answered = queue.finish(first.number)
        #expect(answered == first.queued)
        #expect(queue.isEmpty)
        // A request that was given up or answered is not kept.
        let kept = queue.delay(first.number, by: .song("x"), nowSeconds: 0)
        #expect(kept == nil)
    }

    @Test("a request whose box is being written delays no other, and waits for ten minutes")
    func box() throws {
        var queue = RequestQueue()
        #expect(put([queued(.session(.perform(.keep))), queued(.sync(7))], &queue))
        let next = queue.next(nowSeconds: 0)
        let first = try #require(next)
        #expect(queue.asksForBox(first.number))
        #expect(!queue.asksForBox(first.number + 1))
        let kept = queue.delay(first.number, by: .box, nowSeconds: 0)
        #expect(kept == first.queued)
        let sign = queue.next(nowSeconds: 0)
        #expect(sign?.queued.content == .sync(7))
        let late = queue.giveUp(nowSeconds: 30)
        #expect(late.isEmpty)
        let reminders = queue.dueReminders(nowSeconds: 30).map(\.delay)
        #expect(reminders == [.box])
        let overdue = [599.0, 601].map { queue.giveUpDelayed(nowSeconds: $0).map(\.queued) }
        #expect(overdue == [[], [first.queued]])
    }

    @Test("a sync mark returns only after all earlier requests are answered")
    func sync() {
        var queue = RequestQueue()
        #expect(put([queued(.session(.get("a"))), queued(.sync(7))], &queue))
        let first = queue.next(nowSeconds: 0)
        let early = queue.next(nowSeconds: 0)
        #expect(early == nil)
        _ = queue.finish(first?.number ?? 0)
        let sign = queue.next(nowSeconds: 0)
        #expect(sign?.queued.content == .sync(7))
    }
}
