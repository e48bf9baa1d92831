import Engine
import Pipelines
import Processing
import Testing

@Suite("Messages of scenes and songs")
struct MessageTests {
    private typealias Sent = MessageRecorder.Sent

    @Test(
        "a scene sends its messages in order, at its frame, each time", arguments: [64, 17, 1000])
    func scene(calls: Int) throws {
        let bench = try MessageBench(
            MessageBench.pipeline([
                .init(
                    name: "a", changes: [],
                    messages: [
                        MessageBench.message(0xB1, 0, 2), MessageBench.message(0xC1, 12),
                        MessageBench.message(0xF0, 1, 2, 3, 4, 0xF7),
                    ])
            ]))
        bench.callScene(0, frame: 100)
        bench.render(1000, calls: calls)
        let expected = [
            Sent(100, 0xB1, 0, 2), Sent(100, 0xC1, 12), Sent(100, 0xF0, 1, 2, 3, 4, 0xF7),
        ]
        #expect(bench.sent == expected)
        _ = bench.playing.engine.send(.scene(0))
        bench.render(64)
        #expect(bench.sent.dropFirst(3).map(\.bytes) == expected.map(\.bytes))
        #expect(bench.sent.dropFirst(3).allSatisfy { $0.frame == 1000 })
    }

    @Test("a note ends after its duration, to the frame", arguments: [64, 17, 1000])
    func duration(calls: Int) throws {
        let bench = try MessageBench(
            MessageBench.pipeline([
                .init(
                    name: "a", changes: [],
                    messages: [MessageBench.message(0x92, 60, 100, seconds: 0.01)])
            ]))
        bench.callScene(0, frame: 100)
        bench.render(1000, calls: calls)
        #expect(bench.sent == [Sent(100, 0x92, 60, 100), Sent(580, 0x82, 60, 0)])
    }

    @Test("a note that starts again ends first, and ends once")
    func again() throws {
        let bench = try MessageBench(
            MessageBench.pipeline([
                .init(
                    name: "a", changes: [],
                    messages: [MessageBench.message(0x90, 60, 100, seconds: 0.01)])
            ]))
        bench.callScene(0, frame: 10)
        bench.render(64)
        bench.callScene(0, frame: 100)
        bench.render(1216)
        #expect(
            bench.sent == [
                Sent(10, 0x90, 60, 100), Sent(100, 0x80, 60, 0), Sent(100, 0x90, 60, 100),
                Sent(580, 0x80, 60, 0),
            ])
    }

    @Test("a message that ends a note leaves nothing to end later")
    func endedNote() throws {
        let bench = try MessageBench(
            MessageBench.pipeline([
                .init(name: "a", changes: [], messages: [MessageBench.message(0x90, 60, 100)]),
                .init(name: "b", changes: [], messages: [MessageBench.message(0x80, 60, 0)]),
            ]))
        _ = bench.playing.engine.send(.scene(0))
        bench.render(64)
        _ = bench.playing.engine.send(.scene(1))
        bench.render(64)
        _ = bench.playing.engine.send(.fadeOut(seconds: 0.01))
        bench.render(1024)
        #expect(bench.sent == [Sent(0, 0x90, 60, 100), Sent(64, 0x80, 60, 0)])
    }

    @Test("notes end with their song, before the messages of the next song and its scene")
    func song() throws {
        let held = MessageBench.message(0x90, 60, 100)
        let bench = try MessageBench(MessageBench.pipeline(song: [held]))
        bench.render(128)
        #expect(bench.sent == [Sent(0, 0x90, 60, 100)])
        let next = MessageBench.pipeline(
            [
                .init(name: "a", changes: []),
                .init(name: "b", changes: [], messages: [MessageBench.message(0xC0, 2)]),
            ], song: [MessageBench.message(0xC0, 1)])
        let schedule = try Playing.schedule(next)
        #expect(bench.playing.engine.exchange(schedule, .song(tailFrames: 100, scene: 1)))
        bench.render(128)
        #expect(
            bench.sent.dropFirst() == [
                Sent(128, 0x80, 60, 0), Sent(128, 0xC0, 1), Sent(128, 0xC0, 2),
            ])
    }

    @Test("a restart with new processors sends nothing and ends no note")
    func restart() throws {
        let song = MessageBench.pipeline(song: [MessageBench.message(0x90, 60, 100)])
        let bench = try MessageBench(song)
        bench.render(64)
        let schedule = try Playing.schedule(song)
        #expect(bench.playing.engine.exchange(schedule, .ringOut(tailFrames: 0)))
        bench.render(640)
        #expect(bench.sent == [Sent(0, 0x90, 60, 100)])
    }

    @Test("a panic and the end of the program end all notes", arguments: [true, false])
    func ends(isPanic: Bool) throws {
        let bench = try MessageBench(
            MessageBench.pipeline(song: [
                MessageBench.message(0x90, 60, 100), MessageBench.message(0x91, 61, 100),
            ]))
        bench.render(64)
        _ = bench.playing.engine.send(isPanic ? .silence : .fadeOut(seconds: 0.05))
        bench.render(64)
        let ends = bench.sent.dropFirst(2)
        #expect(ends.allSatisfy { $0.frame == 64 })
        #expect(Set(ends.map(\.bytes)) == [[0x80, 60, 0], [0x81, 61, 0]])
    }

    @Test("an engine that renders offline sends nothing")
    func offline() throws {
        let message = MessageBench.message(0xC0, 1)
        var pipeline = MessageBench.pipeline(
            [.init(name: "a", changes: [], messages: [message])], song: [message])
        pipeline.outputs[1].hasClock = true
        let bench = try MessageBench(pipeline, startsSong: false)
        bench.callScene(0, frame: 10)
        bench.render(6_400)
        #expect(bench.sent.isEmpty)
    }

    @Test("messages wait until the outputs fade in, when the ports are connected")
    func waits() throws {
        let bench = try MessageBench(
            MessageBench.pipeline(song: [MessageBench.message(0xC0, 1)]), fadingIn: true)
        bench.render(640)
        #expect(bench.sent.isEmpty)
        _ = bench.playing.engine.fadeIn(seconds: 0.01)
        bench.render(64)
        #expect(bench.sent == [Sent(640, 0xC0, 1)])
    }

    @Test("at most 1,024 bytes go out per call, and the rest follows in order")
    func budget() throws {
        let long = [UInt8(0xF0)] + [UInt8](repeating: 5, count: 998) + [0xF7]
        let bench = try MessageBench(
            MessageBench.pipeline(song: [
                .init(output: 1, bytes: long), MessageBench.message(0xC0, 1),
                .init(output: 1, bytes: long), MessageBench.message(0xC0, 2),
            ]))
        bench.render(256)
        #expect(
            bench.sent == [
                Sent(0, long), Sent(0, 0xC0, 1), Sent(64, long), Sent(64, 0xC0, 2),
            ])
    }

    @Test("messages are in order among those that a node sends to the same output")
    func merge() throws {
        let bench = try MessageBench(
            MessageBench.pipeline(
                [.init(name: "a", changes: [], messages: [MessageBench.message(0xC0, 1)])],
                node: ChatterEffect.description.name))
        bench.callScene(0, frame: 96)
        bench.render(192)
        #expect(
            bench.sent == [
                Sent(10, 0xB0, 1, 10), Sent(50, 0xB0, 1, 50), Sent(74, 0xB0, 1, 10),
                Sent(96, 0xC0, 1), Sent(114, 0xB0, 1, 50), Sent(138, 0xB0, 1, 10),
                Sent(178, 0xB0, 1, 50),
            ])
    }
}
