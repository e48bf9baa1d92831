import HTTPServer
import Pipelines
import SessionCore
import TestPages
import Testing

/// Frames that no browser sends.
@Suite struct FrameTests {
    @Test("each violation closes the WebSocket with its code")
    func violations() throws {
        let served = try ServedPage()
        let text = Array("{\"id\": 1, \"request\": \"ping\"}".utf8)
        let unmasked: [UInt8] = [0x81, UInt8(text.count)] + text
        let cases: [(String, [UInt8], Int)] = [
            ("no mask", unmasked, 1002),
            ("a reserved bit", [0xC1, 0x80, 0, 0, 0, 0], 1002),
            ("a reserved kind", PageVisitor.bytes(3, []), 1002),
            ("a reserved control", PageVisitor.bytes(11, []), 1002),
            ("a ping in parts", PageVisitor.bytes(9, [], isLast: false), 1002),
            ("a long ping", PageVisitor.bytes(9, Array(repeating: 0, count: 126)), 1002),
            ("a part without a start", PageVisitor.bytes(0, text), 1002),
            (
                "a start before the end",
                PageVisitor.bytes(1, text, isLast: false) + PageVisitor.bytes(1, text), 1002
            ),
            ("binary", PageVisitor.bytes(2, [1, 2, 3]), 1003),
            ("not UTF-8", PageVisitor.bytes(1, [0xFF, 0xFE]), 1007),
            ("not JSON", PageVisitor.bytes(1, Array("hello".utf8)), 1007),
            ("no object", PageVisitor.bytes(1, Array("[1]".utf8)), 1007),
            ("no id", PageVisitor.bytes(1, Array("{}".utf8)), 1007),
            ("a negative id", PageVisitor.bytes(1, Array("{\"id\": -1}".utf8)), 1007),
            ("an id with a fraction", PageVisitor.bytes(1, Array("{\"id\": 0.5}".utf8)), 1007),
            (
                "deep nesting",
                PageVisitor.bytes(1, Array(repeating: UInt8(ascii: "["), count: 60_000)), 1007
            ),
            ("one byte too long", PageVisitor.bytes(1, Array(repeating: 32, count: 65_537)), 1009),
            (
                "2^63 bytes",
                [0x81, 0xFF, 0x7F] + Array(repeating: 0xFF, count: 7) + [0, 0, 0, 0],
                1009
            ),
            ("an invalid end", PageVisitor.bytes(8, [0]), 1002),
            ("a forbidden end", PageVisitor.bytes(8, [3, 0xED]), 1002),
        ]
        for (name, bytes, code) in cases {
            let page = try served.page()
            page.visitor.send(bytes)
            #expect(page.waitForClose() == code, "\(name)")
            #expect(page.visitor.waitsForClose(), "\(name)")
        }
        #expect(waitUntil { served.refusedCount(.malformed) > 0 })
        #expect(try served.page().set("warm.gain", "-1") == "done")
    }

    @Test("parts of a message are joined, and their sum is limited")
    func parts() throws {
        let served = try ServedPage()
        let page = try served.page()
        let text = Array("{\"id\": 1, \"request\": \"ping\"}".utf8)
        page.send(1, Array(text[..<5]), isLast: false)
        page.send(9, [1, 2], isLast: true)
        page.send(0, Array(text[5...]), isLast: true)
        #expect(page.answer(to: 1)?["answer"]?.string == "done")
        let half = [UInt8](repeating: 32, count: 40_000)
        page.send(1, half, isLast: false)
        page.send(0, half, isLast: true)
        #expect(page.waitForClose() == 1009)
    }

    @Test("a ping gets its content back, and an end is answered with the same code")
    func control() throws {
        let served = try ServedPage()
        let page = try served.page()
        page.send(9, [1, 2, 3])
        var pong: [UInt8]?
        while pong == nil, let frame = page.nextFrame() {
            if frame.opcode == 10 { pong = frame.payload }
        }
        #expect(pong == [1, 2, 3])
        page.send(8, [0x03, 0xE8])
        #expect(page.waitForClose() == 1000)
    }

    @Test("thousands of random frames end connections at most, never the session")
    func randomFrames() throws {
        let served = try ServedPage { $0.pageRequestsPerSecond = 1e9 }
        var generator = SeededGenerator(seed: 66)
        let witness = try served.page()
        let seed = Array(
            "{\"id\": 1, \"request\": \"set\", \"address\": \"warm.gain\", \"value\": -3, \"revision\": 1}"
                .utf8)
        for round in 0..<400 {
            let page = try #require(PageVisitor(port: served.port))
            for _ in 0..<10 {
                var bytes = PageVisitor.bytes(
                    UInt8.random(in: 0...15, using: &generator), seed,
                    isLast: Bool.random(using: &generator))
                for _ in 0..<Int.random(in: 0...6, using: &generator) {
                    let index = Int.random(in: 0..<bytes.count, using: &generator)
                    bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
                }
                guard page.visitor.send(bytes) else { break }
            }
            if round.isMultiple(of: 50) {
                #expect(witness.ask("\"request\": \"ping\"")?["answer"]?.string == "done")
            }
        }
        #expect(witness.set("desk.mic.gain", "-9") == "done")
    }

    @Test("thousands of random requests end connections at most, never the session")
    func randomRequests() throws {
        let served = try ServedPage { $0.plainRequestsPerSecond = 1e9 }
        var generator = SeededGenerator(seed: 67)
        let seed = Array(
            "PUT /api/values/warm.gain HTTP/1.1\r\nHost: \(served.host)\r\nContent-Length: 2\r\n\r\n-3"
                .utf8)
        for _ in 0..<1_000 {
            let visitor = try #require(Visitor(port: served.port))
            var bytes = seed + seed
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
            }
            visitor.send(bytes)
            visitor.endSending()
        }
        #expect(try served.ask("GET", "/api/values/warm.gain").status == 200)
    }
}

/// Random numbers that are the same in each run: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
