import Show
import Testing

import Control

@Suite("requests in line")
struct RequestLineTests {
    private let sender = Endpoint.loopback(port: 1)

    private func asked(_ wish: Asked.Wish) -> Asked { Asked(sender: sender, path: "/", wish: wish) }

    private func set(_ address: String, _ number: Double) -> Asked {
        asked(.show(.set(address, .number(number))))
    }

    /// All that comes out of a line.
    private func drain(_ line: inout RequestLine) -> [Asked.Wish] {
        var wishes: [Asked.Wish] = []
        while let (number, asked) = line.next(nowSeconds: 0) {
            wishes.append(asked.wish)
            _ = line.finish(number)
        }
        return wishes
    }

    @Test("a newer value takes the place of an older one that waits")
    func coalescing() {
        var line = RequestLine()
        for asked in [set("a.b", 1), set("a.c", 2), set("a.b", 3)] { #expect(line.put(asked)) }
        #expect(drain(&line) == [set("a.b", 3).wish, set("a.c", 2).wish])
    }

    @Test("no value passes a scene or a question")
    func barriers() {
        for barrier: Request in [.set("scene", .text("x")), .get("a.b"), .set("tap", nil), .dump] {
            var line = RequestLine()
            let all = [set("a.b", 1), asked(.show(barrier)), set("a.b", 3)]
            for asked in all { #expect(line.put(asked)) }
            #expect(drain(&line) == all.map(\.wish))
        }
    }

    @Test("the show has so many at a time, and so many wait")
    func bounds() {
        var line = RequestLine()
        for number in 0..<RequestLine.mostWaiting {
            #expect(line.put(asked(.show(.get("\(number)")))))
        }
        #expect(!line.put(asked(.show(.get("one more")))))
        var count = 0
        while line.next(nowSeconds: 0) != nil { count += 1 }
        #expect(count == RequestLine.mostUnderWay)
        #expect(line.giveUp(nowSeconds: 1).isEmpty)
        #expect(line.giveUp(nowSeconds: 11).count == RequestLine.mostUnderWay)
        #expect(line.finish(1) == nil)
        #expect(line.next(nowSeconds: 11) != nil)
    }

    @Test("a sign comes back only after all before it is answered")
    func sync() throws {
        var line = RequestLine()
        #expect(line.put(asked(.show(.get("a")))))
        #expect(line.put(asked(.sync(7))))
        let (number, _) = try #require(line.next(nowSeconds: 0))
        #expect(line.next(nowSeconds: 0) == nil)
        _ = line.finish(number)
        #expect(line.next(nowSeconds: 0)?.asked.wish == .sync(7))
    }
}
