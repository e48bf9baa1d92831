import Engine
import Pipelines
import Testing

@Suite("Sending a MIDI clock")
struct ClockSenderTests {
    private static func bench() throws -> MessageBench {
        var pipeline = MessageBench.pipeline()
        pipeline.outputs[1].hasClock = true
        return try MessageBench(pipeline)
    }

    @Test("24 ticks per beat go out, each at its frame, after a start", arguments: [64, 17, 1000])
    func ticks(calls: Int) throws {
        let bench = try Self.bench()
        bench.render(48_000, calls: calls)
        #expect(bench.sent.first == .init(0, 0xFA))
        // 120 beats per minute: a tick is 1,000 frames long.
        #expect(bench.sent.dropFirst() == ArraySlice((0..<48).map { .init($0 * 1_000, 0xF8) }))
    }

    @Test("a new tempo changes the distance of the ticks without a start", arguments: [64, 17])
    func tempo(calls: Int) throws {
        let bench = try Self.bench()
        bench.render(6_528, calls: calls)
        _ = bench.playing.engine.send(.tempo(beatsPerMinute: 60))
        bench.render(6_528, calls: calls)
        #expect(bench.sent.count { $0.bytes == [0xFA] } == 1)
        let ticks = bench.sent.filter { $0.bytes == [0xF8] }.map(\.frame)
        #expect(ticks.prefix(7) == [0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000])
        // The tempo applies from the next piece on.
        let first = 7_000 + (7_000 - 6_528)
        #expect((first...first + 128).contains(ticks[7]))
        #expect(zip(ticks[7...], ticks[8...]).allSatisfy { $1 - $0 == 2_000 })
    }
}
