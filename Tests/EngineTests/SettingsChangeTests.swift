import Engine
import Pipelines
import Processing
import Testing

@Suite("A node that follows changes of its settings")
struct SettingsChangeTests {
    private let zeros = [Float](repeating: 0, count: 640)

    private func pipeline(level: Double, fixed: Double = 0, bytes: Double = 0) -> Pipeline {
        var graph = Graph()
        graph.add(
            "fx", "follow", from: ["in"],
            settings: [
                "level": .number(level), "fixed": .number(fixed), "bytes": .number(bytes),
            ])
        graph.output(from: ["fx"])
        return graph.pipeline
    }

    /// The output of a node after it has run some frames, at a level.
    private func counted(from first: Int, level: Float) -> [Float] {
        (0..<640).map { Float(first + $0) / 1e6 + level }
    }

    @Test("continues with the new settings, from the exchange on")
    func continues() throws {
        let playing = try Playing(pipeline(level: 1))
        #expect(playing.render([zeros])[0] == counted(from: 0, level: 1))
        let processor = playing.schedule.processors(ofNode: 0)[0]
        let next = try Schedule(
            preparing: pipeline(level: 3), catalogue: TestEffects.catalogue,
            ports: playing.schedule.ports, after: playing.schedule, hasSettled: true)
        #expect(next.processors(ofNode: 0)[0] === processor)
        #expect(!next.isTransition)
        // The prepared schedule has no effect yet.
        #expect(playing.render([zeros])[0] == counted(from: 640, level: 1))
        #expect(playing.engine.exchange(next, .splice))
        #expect(playing.render([zeros])[0] == counted(from: 1280, level: 3))
    }

    @Test("follows any number of changes, with other edits between them")
    func manyChanges() throws {
        let playing = try Playing(pipeline(level: 0))
        _ = playing.render([zeros])
        for turn in 1...20 {
            var edited = pipeline(level: Double(turn / 2))
            edited.tailSeconds = turn.isMultiple(of: 2) ? 4 : 5
            try playing.splice(edited, hasSettled: true)
            let played = playing.render([zeros])[0]
            #expect(played == counted(from: 640 * turn, level: Float(turn / 2)))
        }
    }

    @Test("keeps its settings if the schedule is dropped or the engine has no room for it")
    func dropped() throws {
        let playing = try Playing(pipeline(level: 1))
        func prepare() throws -> Schedule {
            try Schedule(
                preparing: pipeline(level: 3), catalogue: TestEffects.catalogue,
                ports: playing.schedule.ports, after: playing.schedule, hasSettled: true)
        }
        _ = try prepare()
        #expect(playing.render([zeros])[0] == counted(from: 0, level: 1))
        while playing.engine.send(.set(node: 7, target: 0, value: 0, frame: 0)) {}
        #expect(!playing.engine.exchange(try prepare(), .splice))
        #expect(playing.render([zeros])[0] == counted(from: 640, level: 1))
    }

    @Test("refuses the edit if the settings cannot be used, and continues")
    func refused() throws {
        let playing = try Playing(pipeline(level: 1))
        _ = playing.render([zeros])
        let error = #expect(throws: PreparationError.self) {
            try playing.splice(pipeline(level: -1), hasSettled: true)
        }
        #expect(error?.message == "fx: the level is negative")
        #expect(playing.render([zeros])[0] == counted(from: 640, level: 1))
    }

    @Test("is replaced if its rule does not allow the change")
    func replaced() throws {
        let playing = try Playing(pipeline(level: 1))
        _ = playing.render([zeros])
        let processor = playing.schedule.processors(ofNode: 0)[0]
        try playing.splice(pipeline(level: 1, fixed: 1), hasSettled: true)
        #expect(playing.schedule.processors(ofNode: 0)[0] !== processor)
    }

    @Test("needs memory only for the files that the change adds")
    func memory() throws {
        var catalogue = TestEffects.catalogue
        catalogue.memory = MemoryBudget {
            MemoryBudget.Room(freeBytes: 500_000_000, limit: "a test's limit")
        }
        let before = pipeline(level: 1, bytes: 400e6)
        let ports = try #require(EnginePorts(before))
        let one = try Schedule(
            preparing: before, catalogue: catalogue,
            format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64), ports: ports)
        #expect(throws: Never.self) {
            try Schedule(
                preparing: pipeline(level: 1, bytes: 800e6), catalogue: catalogue, ports: ports,
                after: one, hasSettled: true)
        }
        let error = #expect(throws: PreparationError.self) {
            try Schedule(
                preparing: pipeline(level: 1, bytes: 1000e6), catalogue: catalogue, ports: ports,
                after: one, hasSettled: true)
        }
        #expect(error?.lacksMemory == true)
    }
}
