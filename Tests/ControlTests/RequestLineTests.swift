import Show
import Testing

import Control

@Suite("queued requests")
struct RequestLineTests {
    private let sender = Endpoint.loopback(port: 1)

    private func asked(_ wish: Asked.Wish) -> Asked { Asked(sender: sender, path: "/", wish: wish) }

    private func set(_ address: String, _ number: Double) -> Asked {
        asked(.show(.set(address, .number(number))))
    }

    /// Adds requests to a queue, and returns whether all of them fit.
    private func put(_ all: [Asked], _ line: inout RequestLine) -> Bool {
        all.allSatisfy { line.put($0) }
    }

    /// Returns all requests that leave a queue.
    private func drain(_ line: inout RequestLine) -> [Asked.Wish] {
        var wishes: [Asked.Wish] = []
        while let (number, asked) = line.next(nowSeconds: 0) {
            wishes.append(asked.wish)
            _ = line.finish(number)
        }
        return wishes
    }

    @Test("a newer value replaces an older one that waits")
    func coalescing() {
        var line = RequestLine()
        #expect(put([set("a.b", 1), set("a.c", 2), set("a.b", 3)], &line))
        #expect(drain(&line) == [set("a.b", 3).wish, set("a.c", 2).wish])
    }

    @Test("no value overtakes a scene or a query")
    func barriers() {
        for barrier: SessionRequest in [
            .set("scene", .text("x")), .get("a.b"), .perform(.tap), .dump,
        ] {
            var line = RequestLine()
            let all = [set("a.b", 1), asked(.show(barrier)), set("a.b", 3)]
            #expect(put(all, &line))
            #expect(drain(&line) == all.map(\.wish))
        }
    }

    @Test("the queue limits both the requests in progress and those that wait")
    func bounds() {
        var line = RequestLine()
        let all = (0..<RequestLine.mostWaiting).map { asked(.show(.get("\($0)"))) }
        #expect(put(all, &line))
        #expect(!put([asked(.show(.get("one more")))], &line))
        var count = 0
        while line.next(nowSeconds: 0) != nil { count += 1 }
        #expect(count == RequestLine.mostUnderWay)
        let (early, late) = (line.giveUp(nowSeconds: 1), line.giveUp(nowSeconds: 11))
        #expect(early.isEmpty)
        #expect(late.count == RequestLine.mostUnderWay)
        let (lost, next) = (line.finish(1), line.next(nowSeconds: 11))
        #expect(lost == nil)
        #expect(next != nil)
    }

    @Test("a sync mark returns only after all earlier requests are answered")
    func sync() {
        var line = RequestLine()
        #expect(put([asked(.show(.get("a"))), asked(.sync(7))], &line))
        let first = line.next(nowSeconds: 0)
        let early = line.next(nowSeconds: 0)
        #expect(early == nil)
        _ = line.finish(first?.number ?? 0)
        let sign = line.next(nowSeconds: 0)
        #expect(sign?.asked.wish == .sync(7))
    }
}
