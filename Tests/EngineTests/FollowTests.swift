import CRealtime
import Engine
import Pipelines
import Processing
import Testing

@Suite("Scenes that follow automatically")
struct FollowTests {
    private static let rate = 48_000.0

    /// A pipeline of one factor, whose scenes set it to 1, 2, 3 and so on.
    private func pipeline(
        _ follows: [Pipeline.Follow?], initial: Int? = 0, names: [String]? = nil
    ) -> Pipeline {
        var graph = Graph()
        graph.add("fx", "late", from: ["in"], values: [0])
        graph.output(from: ["fx"])
        var pipeline = graph.pipeline
        pipeline.scenes = follows.enumerated().map { index, follow in
            var scene = Pipeline.Scene(
                name: names?[index] ?? "scene \(index)",
                changes: [
                    .init(
                        address: .init(node: 0, target: .parameter(0)), value: Float(index + 1))
                ])
            scene.cue.follow = follow
            return scene
        }
        pipeline.initialScene = initial
        return pipeline
    }

    private func after(_ frames: Int, _ scene: Int) -> Pipeline.Follow {
        .init(scene: scene, start: .after(seconds: Double(frames) / Self.rate))
    }

    private func ones(_ frames: Int) -> [Float] { [Float](repeating: 1, count: frames) }

    /// Returns each value of a signal with the frame at which it begins.
    private func steps(_ signal: [Float]) -> [Step] {
        var steps: [Step] = []
        for (frame, value) in signal.enumerated() where steps.last?.value != value {
            steps.append(Step(frame, value))
        }
        return steps
    }

    private struct Step: Equatable {
        let frame: Int
        let value: Float

        init(_ frame: Int, _ value: Float) {
            self.frame = frame
            self.value = value
        }
    }

    private func applied(_ playing: Playing) -> [Int32] {
        playing.reports().compactMap {
            if case .sceneApplied(let index) = $0 { index } else { nil }
        }
    }

    // MARK: Times

    @Test(
        "begin at their exact frames, at any block size",
        arguments: [[64], [1], [63], [64, 1, 17]])
    func exact(blocks: [Int]) throws {
        let playing = try Playing(pipeline([after(1_001, 1), after(333, 2), nil]))
        let out = playing.render([ones(2_000)], blocks: blocks)[0]
        #expect(steps(out) == [Step(0, 1), Step(1_001, 2), Step(1_334, 3)])
        #expect(applied(playing) == [1, 2])
    }

    @Test("begin with the scene before them if the time is 0, and several times in one block")
    func chain() throws {
        let playing = try Playing(
            pipeline([nil, after(0, 2), after(5, 3), after(7, 4), nil], initial: nil))
        _ = playing.render([ones(64)])
        #expect(playing.engine.send(.scene(1)))
        let out = playing.render([ones(64)])[0]
        #expect(steps(out) == [Step(0, 3), Step(5, 4), Step(12, 5)])
        #expect(applied(playing) == [2, 3, 4])
    }

    @Test("can form a loop")
    func loop() throws {
        let playing = try Playing(pipeline([after(500, 1), after(700, 0)]))
        let out = playing.render([ones(2_800)])[0]
        #expect(
            steps(out)
                == [Step(0, 1), Step(500, 2), Step(1_200, 1), Step(1_700, 2), Step(2_400, 1)])
    }

    @Test("do not block the engine if a loop takes no time")
    func endlessLoop() throws {
        let playing = try Playing(pipeline([after(0, 1), after(0, 0)]))
        #expect(playing.render([ones(640)])[0].allSatisfy { (1...2).contains($0) })
    }

    @Test("do not begin without a scene in effect")
    func noScene() throws {
        let playing = try Playing(pipeline([after(10, 1), nil], initial: nil))
        #expect(playing.render([ones(640)])[0].allSatisfy { $0 == 0 })
        #expect(applied(playing).isEmpty)
    }

    // MARK: Cancelling

    @Test("do not begin after another scene was called by hand")
    func byHand() throws {
        let playing = try Playing(pipeline([after(1_000, 1), nil, nil]))
        _ = playing.render([ones(960)])
        #expect(playing.engine.send(.scene(2)))
        let out = playing.render([ones(960)])[0]
        #expect(steps(out) == [Step(0, 3)])
        #expect(applied(playing).isEmpty)
    }

    @Test("count again from the beginning if the same scene is called again")
    func again() throws {
        let playing = try Playing(pipeline([after(1_000, 1), nil]))
        _ = playing.render([ones(640)])
        #expect(playing.engine.send(.scene(0)))
        let out = playing.render([ones(1_280)])[0]
        #expect(steps(out) == [Step(0, 1), Step(1_000, 2)])
    }

    @Test("do not begin after a cancellation")
    func cancelled() throws {
        let playing = try Playing(pipeline([after(1_000, 1), nil]))
        _ = playing.render([ones(640)])
        #expect(playing.engine.send(.cancelFollow))
        #expect(playing.render([ones(1_280)])[0].allSatisfy { $0 == 1 })
    }

    // MARK: Edits and songs

    @Test("keep their time after an edit that moves the scenes to other places")
    func edited() throws {
        let playing = try Playing(pipeline([after(1_000, 1), nil], names: ["a", "b"]))
        _ = playing.render([ones(640)])
        // The scene "a" now sets the factor 2, and "b" the factor 3.
        try playing.splice(
            pipeline([nil, after(1_000, 2), nil], initial: nil, names: ["new", "a", "b"]),
            hasSettled: true)
        let out = playing.render([ones(1_280)])[0]
        #expect(steps(out) == [Step(0, 1), Step(360, 3)])
        #expect(applied(playing) == [2])
    }

    @Test(
        "use an edited time, counted from the beginning of the scene",
        arguments: [(2_000, 1_360), (700, 60), (100, 0)])
    func editedTime(frames: Int, begins: Int) throws {
        let playing = try Playing(pipeline([after(1_000, 1), nil]))
        _ = playing.render([ones(640)])
        try playing.splice(pipeline([after(frames, 1), nil], initial: nil), hasSettled: true)
        let out = playing.render([ones(1_920)])[0]
        #expect(out.firstIndex(of: 2) == begins)
    }

    @Test("are cancelled by an edit that removes them, and not added to the scene in effect")
    func removed() throws {
        let playing = try Playing(pipeline([after(1_000, 1), nil]))
        _ = playing.render([ones(640)])
        try playing.splice(pipeline([nil, nil], initial: nil), hasSettled: true)
        #expect(playing.render([ones(640)])[0].allSatisfy { $0 == 1 })
        try playing.splice(pipeline([after(10, 1), nil], initial: nil), hasSettled: true)
        #expect(playing.render([ones(640)])[0].allSatisfy { $0 == 1 })
    }

    @Test("end with the song, and the next song begins its own")
    func song() throws {
        let playing = try Playing(pipeline([after(1_000, 1), nil]))
        _ = playing.render([ones(640)])
        playing.ringOut(into: try Playing.schedule(pipeline([after(3_000, 1), nil])))
        _ = playing.render([ones(5_000)])
        #expect(applied(playing) == [1])
        playing.ringOut(into: try Playing.schedule(pipeline([after(10, 1), nil], initial: nil)))
        _ = playing.render([ones(5_000)])
        #expect(applied(playing).isEmpty)
    }

    @Test("continue with new processors for the same song, at another sample rate too")
    func restarted() throws {
        let playing = try Playing(pipeline([after(9_600, 1), nil]))
        _ = playing.render([ones(4_800)])
        let next = try Playing.schedule(
            pipeline([after(9_600, 1), nil], initial: nil), 96_000, 64)
        next.keepScene()
        playing.ringOut(into: next)
        // Half of the time is left: 0.1 s.
        let out = playing.render([ones(19_200)])[0]
        #expect(out[9_599] == 0)
        #expect(out[9_600] == 2)
        #expect(applied(playing) == [1])
    }

    // MARK: MIDI

    @Test("are cancelled by a scene that MIDI calls at the same frame or earlier in the block")
    func midi() throws {
        for (frame, expected) in [(0, [2]), (40, [2]), (41, [1, 2])] as [(Int32, [Int32])] {
            var bound = pipeline([after(40, 1), nil, nil])
            bound.inputs.append(.init(name: "keys", channels: 0, kind: .midi, connect: []))
            bound.bindings = [
                .init(trigger: .note(60), channel: nil, port: nil, action: .scene(2))
            ]
            let playing = try Playing(bound)
            press(60, at: frame, playing)
            #expect(applied(playing) == expected, "at \(frame)")
        }
    }

    /// Renders a block in which a note begins.
    private func press(_ note: UInt8, at frame: Int32, _ playing: Playing) {
        [0x90, note, 100].withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            withUnsafePointer(to: RTMessage(frame: frame, byteCount: 3, bytes: base)) { message in
                withUnsafePointer(to: RTMessages(first: message, count: 1, startFrame: 0)) {
                    var call = RTEngineCall()
                    call.messages = $0
                    call.inputCount = 1
                    withUnsafePointer(to: call) { playing.renderSilence(frames: 64, $0) }
                }
            }
        }
    }
}
