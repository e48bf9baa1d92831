import Engine
import Pipelines
import Processing
import SessionCore
import Testing
import TestSignals

@Suite("Edited files")
struct EditTests {
    private let ones = [Float](repeating: 0.5, count: 9_600)

    private let other = ", { \"id\": \"b\", \"type\": \"gain\" }"

    /// Returns a session that has played an edit with another node, and prepares one with a third
    /// node for a new block size.
    private func betweenEdits() throws -> Stage {
        let stage = try Stage(gains(-6))
        _ = stage.play(ones)
        try stage.edit(gains(-6, other))
        try stage.edit(gains(-6, other + other.replacing("\"b\"", with: "\"c\"")))
        stage.session.follow(.init(sampleRate: 48_000, maximumBlockFrames: 32))
        _ = stage.play([Float](repeating: 0.5, count: 64))
        return stage
    }

    private func gains(_ first: Double, _ rest: String = "") -> String {
        """
        "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": 1 } },
        "nodes": [ { "id": "a", "type": "gain", "parameters": { "gain": \(first) } }\(rest) ]
        """
    }

    @Test("an edit of one value moves it smoothly and prepares nothing")
    func value() throws {
        let stage = try Stage(gains(0))
        _ = stage.play(ones)
        let before = stage.session.active
        try stage.edit(gains(-20))
        let out = stage.play(ones)[0]
        #expect(stage.session.active === before)
        #expect(largestStep(out) < 0.002)
        #expect(abs((out.last ?? 0) - 0.05) < 1e-4)
        #expect(stage.value("a.gain") == .number(-20))
    }

    @Test("an edit is announced when it is active, with the addresses of its new nodes")
    func announced() throws {
        let stage = try Stage(gains(0))
        _ = stage.play(ones)
        let reloaded = SessionEvent.reloaded(pipeline: stage.session.songs[0].name)
        try stage.edit(gains(-3))
        #expect(stage.events.filter { $0 == reloaded }.count == 1)
        try stage.edit(gains(-3, other))
        #expect(stage.value("b.gain") == nil)
        #expect(stage.events.filter { $0 == reloaded }.count == 1)
        _ = stage.play(ones)
        #expect(stage.value("b.gain") == .number(0))
        #expect(stage.events.filter { $0 == reloaded }.count == 2)
    }

    @Test("two edits, of which the first never plays, are announced once")
    func announcedOnce() throws {
        let stage = try betweenEdits()
        let reloaded = SessionEvent.reloaded(pipeline: stage.session.songs[0].name)
        _ = stage.play(ones)
        #expect(stage.value("c.gain") == .number(0))
        #expect(stage.events.filter { $0 == reloaded }.count == 1)
    }

    @Test("a live change is kept if the edit does not affect it")
    func liveValueStays() throws {
        let stage = try Stage(gains(0))
        #expect(stage.ask("a.gain", .number(-6)) == .done)
        _ = stage.play(ones)
        try stage.edit(gains(0, ", { \"id\": \"b\", \"type\": \"gain\" }"))
        _ = stage.play(ones)
        #expect(stage.value("a.gain") == .number(-6))
        #expect(stage.value("b.gain") == .number(0))
        try stage.edit(gains(-3, ", { \"id\": \"b\", \"type\": \"gain\" }"))
        let out = stage.play(ones)[0]
        #expect(stage.value("a.gain") == .number(-3))
        #expect(abs((out.last ?? 0) - 0.5 * 0.70795) < 1e-4)
    }

    @Test("a removed echo rings out, and is removed once it is silent")
    func echoRings() throws {
        let echo =
            ", { \"id\": \"echo\", \"type\": \"delay\", \"parameters\": { \"time\": 0.1, \"feedback\": 0.5 }, \"settings\": { \"maximum\": 0.2 } }"
        let stage = try Stage(gains(0, echo))
        _ = stage.play(sineWave(440, amplitude: 0.5, frames: 24_000, sampleRate: 48_000))
        try stage.edit(gains(0))
        let silence = [Float](repeating: 0, count: 48_000)
        let out = stage.play(silence)[0]
        #expect(out[9_600..<14_400].map(abs).max() ?? 0 > 0.1)
        #expect(largestStep(out) < 0.06)
        _ = stage.play(silence + silence + silence)
        #expect(stage.session.active.nodeIDs == ["a"])
        #expect(!stage.session.active.isTransition)
    }

    @Test("the last of many rapid edits is applied")
    func manyEdits() throws {
        let stage = try Stage(gains(0), preparesOnThread: true)
        for count in 1...200 {
            let more = (0..<(count % 5)).map { ", { \"id\": \"n\($0)\", \"type\": \"gain\" }" }
                .joined()
            try stage.edit(gains(-Double(count % 7), more))
            let out = stage.play([Float](repeating: 0.5, count: 640))[0]
            #expect(largestStep(out) < 0.002)
        }
        var rounds = 0
        while stage.session.active.isTransition || stage.session.active.nodeIDs.count != 1,
            rounds < 2000
        {
            _ = stage.play([Float](repeating: 0.5, count: 640))
            rounds += 1
        }
        #expect(stage.session.active.nodeIDs == ["a"])
        #expect(stage.value("a.gain") == .number(-4))
    }

    @Test("a new output gets a slot, and a removed one releases its slot")
    func outputs() throws {
        let stage = try Stage(gains(0))
        _ = stage.play(ones)
        try stage.edit(
            gains(0).replacing(
                "\"out\": { \"channels\": 1 }", with: "\"second\": { \"channels\": 1 }"))
        let out = stage.play(ones)
        #expect(out.count == 2)
        #expect(out[1].last == 0.5 && out[0].last == 0)
        #expect(largestStep(out[0]) < 0.002 && largestStep(out[1]) < 0.002)
        _ = stage.play(ones)
        #expect(stage.session.ports.outputs.map(\.name) == ["second"])
    }

    @Test("a panic is silence within 10 ms, and the sound returns without its old tails")
    func panic() throws {
        let echo =
            ", { \"id\": \"echo\", \"type\": \"delay\", \"parameters\": { \"time\": 0.5, \"feedback\": 0.9 }, \"mix\": 0.5 }"
        let stage = try Stage(gains(-6, echo))
        _ = stage.ask("a.gain", .number(-3))
        _ = stage.play([Float](repeating: 0.5, count: 48_000))
        #expect(stage.ask("panic") == .done)
        let out = stage.play([Float](repeating: 0, count: 96_000))[0]
        #expect(out[512...].allSatisfy { $0 == 0 })
        #expect(largestStep(out) < 0.01)
        #expect(stage.value("a.gain") == .number(-3))
        let back = stage.play([Float](repeating: 0.5, count: 9_600))[0]
        #expect(abs((back.last ?? 0) - 0.17699) < 1e-3)
    }

    @Test("mute, master gain and tempo belong to the master section")
    func night() throws {
        let stage = try Stage(gains(0))
        #expect(stage.ask("gain", .number(-20)) == .done)
        #expect(stage.ask("tempo", .number(90)) == .done)
        _ = stage.play(ones)
        try stage.edit(gains(0, ", { \"id\": \"b\", \"type\": \"gain\" }"))
        #expect(abs((stage.play(ones)[0].last ?? 0) - 0.05) < 1e-4)
        #expect(stage.value("tempo") == .number(90))
        #expect(stage.ask("mute", .toggle(true)) == .done)
        let out = stage.play(ones)[0]
        #expect(out.last == 0 && largestStep(out) < 0.001)
        #expect(stage.ask("tempo", .number(1000)) != .done)
    }

    @Test("a new block size is applied, and no sound is lost")
    func format() throws {
        let stage = try Stage(gains(-6))
        _ = stage.ask("a.gain", .number(0))
        _ = stage.play(ones)
        for frames in [16, 1024, 64, 4096] {
            stage.session.follow(.init(sampleRate: 48_000, maximumBlockFrames: frames))
            let out = stage.play(ones)[0]
            #expect(out.allSatisfy { abs($0 - 0.5) < 0.01 })
            #expect(stage.session.active.plan.format.maximumBlockFrames == frames)
        }
    }

    @Test("an edit together with a new block size is applied, and so are live changes meanwhile")
    func editWithFormat() throws {
        let stage = try betweenEdits()
        #expect(stage.ask("a.gain", .number(0)) == .done)
        let out = stage.play(ones)[0]
        #expect(largestStep(out) < 0.002)
        #expect(abs((out.last ?? 0) - 0.5) < 1e-4)
        #expect(
            stage.session.pipeline.nodes.map(\.id) == stage.session.active.pipeline.nodes.map(\.id))
        #expect(stage.session.active.plan.format.maximumBlockFrames == 32)
        #expect(stage.value("a.gain") == .number(0) && stage.value("c.gain") == .number(0))
    }

    @Test("an edit is applied even if a node's latency grows while it is prepared")
    func editWithLatency() throws {
        let late = ", { \"id\": \"late\", \"type\": \"restless\" }"
        let more = late + ", { \"id\": \"b\", \"type\": \"gain\" }"
        let stage = try Stage(gains(0, late))
        _ = stage.play(ones)
        #expect(stage.ask("late.frames", .number(100)) == .done)
        // The node reports the latency, and the session reads the report at its next look, when the
        // edit is ready.
        _ = stage.play(ones, advancing: false)
        try stage.edit(gains(0, more))
        _ = stage.play(ones)
        #expect(stage.session.active.pipeline.nodes.map(\.id) == ["a", "late", "b"])
        #expect(stage.session.active.plan.latencyFrames == 100)
        #expect(stage.value("late.frames") == .number(100))
    }

    @Test("an edit back to the active pipeline is applied while another is prepared")
    func editBackWithFormat() throws {
        let stage = try betweenEdits()
        try stage.edit(gains(0, other))
        let out = stage.play(ones + ones + ones)[0]
        #expect(stage.session.active.pipeline.nodes.map(\.id) == ["a", "b"])
        #expect(stage.session.active.plan.format.maximumBlockFrames == 32)
        #expect(stage.value("a.gain") == .number(0))
        #expect(largestStep(out) < 0.002)
        #expect(out.last == 0.5)
    }

    @Test(
        "an edit during the fade-in of a song or a new block size causes no step",
        arguments: [0, 1, 5])
    func editWhileSwelling(blocks: Int) throws {
        let stage = try Stage(gains(0))
        _ = stage.play(ones)
        stage.session.follow(.init(sampleRate: 48_000, maximumBlockFrames: 32))
        _ = stage.play([Float](repeating: 0.5, count: 64 * (2 + blocks)))
        try stage.edit(gains(0, ", { \"id\": \"b\", \"type\": \"gain\" }"))
        let out = stage.play(ones)[0]
        #expect(largestStep(out) < 0.002)
        #expect(out.last == 0.5)
    }
}

@Suite("Values that change while an edit is prepared")
struct MovingEditTests {
    @Test("keep their live change")
    func staysMoved() throws {
        let text = """
            "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": 1 } },
            "nodes": [ { "id": "a", "type": "gain" } ]
            """
        let more = text.replacing(" ]", with: ", { \"id\": \"b\", \"type\": \"gain\" } ]")
        let stage = try Stage(text)
        _ = stage.play([Float](repeating: 0.5, count: 640))
        try stage.edit(more)
        // The edit is prepared, and is applied at the next look.
        #expect(stage.ask("a.gain", .number(-6)) == .done)
        let out = stage.play([Float](repeating: 0.5, count: 9_600))[0]
        #expect(stage.value("a.gain") == .number(-6))
        #expect(stage.value("b.gain") == .number(0))
        #expect(abs((out.last ?? 0) - 0.25059) < 1e-4)
    }
}
