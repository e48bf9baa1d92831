import Engine
import Processing
import SessionCore
import Synchronization
import Testing
import TestSignals

@Suite("A session and its memory")
struct MemoryTests {
    private let ones = [Float](repeating: 0.5, count: 9_600)

    private func pipeline(delays: Int, seconds: Double = 60) -> String {
        let nodes = (0..<delays).map {
            ", { \"id\": \"d\($0)\", \"type\": \"delay\", \"mix\": 0, \"settings\": { \"maximum\": \(seconds) } }"
        }.joined()
        return """
            "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": 1, "limiter": false } },
            "nodes": [ { "id": "a", "type": "gain" }\(nodes) ]
            """
    }

    private func stage(
        _ texts: String..., freeBytes: @escaping @Sendable () -> Int
    ) throws -> Stage {
        var catalogue = Stage.catalogue
        catalogue.memory = MemoryBudget { .init(freeBytes: freeBytes(), limit: "a test's limit") }
        let songs = try texts.enumerated().map {
            try Stage.song($0.element, name: "song \($0.offset + 1)")
        }
        return try Stage(songs, catalogue: catalogue)
    }

    private func refusals(_ stage: Stage) -> [String] {
        stage.events.compactMap {
            if case .preparationFailed(let message) = $0 { message } else { nil }
        }
    }

    @Test(
        "an edit that is too large is refused with its size, the sound continues, and the next edit works"
    )
    func edit() throws {
        let stage = try stage(pipeline(delays: 0)) { 50_000_000 }
        _ = stage.play(ones)
        let before = stage.session.active
        try stage.edit(pipeline(delays: 10))
        let out = stage.play(ones)[0]
        #expect(out == ones)
        #expect(stage.session.active === before)
        let errors = refusals(stage)
        #expect(errors.count == 1)
        #expect(
            errors.first?.hasPrefix(
                "the edit needs 115 MB of memory, but only 50 MB is free next to the current pipeline within a test's limit; the largest nodes are d0 (12 MB), d1 (12 MB), d2 (12 MB)"
            ) == true)
        #expect(!stage.events.contains(.reloaded(pipeline: "song 1")))
        try stage.edit(pipeline(delays: 4))
        #expect(stage.play(ones)[0].allSatisfy { abs($0 - 0.5) < 1e-6 })
        #expect(stage.events.contains(.reloaded(pipeline: "song 1")))
        #expect(stage.session.active.nodeIDs == ["a", "d0", "d1", "d2", "d3"])
        #expect(refusals(stage).count == 1)
    }

    @Test("a first song that is too large is refused")
    func start() throws {
        #expect(throws: SessionError.self) { try stage(pipeline(delays: 10)) { 50_000_000 } }
    }

    @Test("a song that is too large is refused once, and the current song continues")
    func song() throws {
        let stage = try stage(pipeline(delays: 0), pipeline(delays: 10)) { 50_000_000 }
        #expect(stage.play(ones)[0] == ones)
        #expect(stage.ask("song", .number(2)) == .preparing(song: "song 2"))
        #expect(stage.play(ones)[0] == ones)
        #expect(stage.value("song") == .text("song 1"))
        #expect(refusals(stage).count == 2)
        #expect(refusals(stage).allSatisfy { $0.hasPrefix("the pipeline needs 115 MB") })
    }

    @Test("a waiting song makes room for a panic, and returns")
    func neighbourMakesRoom() throws {
        // For the start, the neighbour, the panic twice, and the neighbour again.
        let rooms = Mutex([200_000_000, 200_000_000, 20_000_000])
        let stage = try stage(pipeline(delays: 5), pipeline(delays: 5)) {
            rooms.withLock { $0.isEmpty ? 200_000_000 : $0.removeFirst() }
        }
        _ = stage.play(ones)
        #expect(stage.session.scheduleCount == 2)
        let before = stage.session.active
        #expect(stage.ask("panic") == .done)
        let out = stage.play(ones + ones + ones)[0]
        #expect(rooms.withLock { $0.isEmpty })
        #expect(refusals(stage) == [])
        #expect(stage.session.active !== before)
        #expect(out.last == 0.5)
        // The neighbour is ready again; the schedule that the panic ended may still exist.
        #expect(stage.session.scheduleCount >= 2)
    }
}
