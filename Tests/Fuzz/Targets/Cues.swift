internal import CRealtime
internal import Pipelines
internal import SessionCore

extension FuzzTarget {
    /// Random fades, cues and messages of scenes in a session that renders, which must cause no
    /// click, no wrong message and no leak.
    static let cues = FuzzTarget(
        name: "cues",
        run: { bytes in
            AllocatedMemory.checkNoGrowth {
                var source = ByteSource(bytes)
                let show = CuedSession(&source)
                for _ in 0..<32 where !source.isEmpty { show.step(&source) }
                show.end()
            }
        },
        seeds: {
            [
                [4, 1, 2, 3, 5, 0, 1, 9, 0, 20, 0, 20, 1, 0, 30, 2, 1, 200, 3, 7, 30, 0, 40],
                [2, 0, 7, 3, 1, 1, 90, 4, 6, 1, 2, 3, 4, 5, 0, 0, 60, 0, 60, 0, 60, 8, 60, 1, 60],
                [5, 9, 8, 7, 6, 5, 4, 3, 2, 1, 2, 2, 60, 5, 1, 60, 6, 3, 60, 7, 0, 60, 9, 9, 60],
            ]
        },
        explain: { bytes in
            var source = ByteSource(bytes)
            return [CuedSession.text(&source, "one"), CuedSession.text(&source, "two")]
        })
}

/// A session of two songs with random scenes that fade, follow one another and send messages.
private final class CuedSession {
    /// The largest allowed difference between neighbouring output samples.
    ///
    /// Gains are at most 1, and the sine moves by 0.0066. The fastest change of a value, 20 ms,
    /// moves by at most 1.5 / 960 of the amplitude per frame; two songs may sound at once, each
    /// with several changes. A hard cut is 0.25.
    private static let maximumStep: Float = 0.04
    private static let scenes = ["a", "b", "c", "d", "e"]
    private static let curves = ["linear", "smooth", "ease-in", "ease-out"]

    private let stage: Stage
    private let check = MessageCheck()
    private var texts: [String]
    private var last: Float = 0

    init(_ source: inout ByteSource) {
        texts = [Self.text(&source, "one"), Self.text(&source, "two")]
        do { stage = try Stage(Self.songs(texts)) } catch {
            fatalError("the show does not begin: \(error)\n\(texts)")
        }
        play(blocks: 8)
    }

    func step(_ source: inout ByteSource) {
        let session = stage.session
        switch source.below(12) {
        case 0: perform("go")
        case 1: perform("back")
        case 2: set("scene", .text(source.pick(Self.scenes)))
        case 3, 4: fade(&source)
        case 5: set("\(Self.node(&source)).gain", .number(-source.number(0...40)))
        case 6: _ = session.perform(.pressKey(source.pick(["g", "b", "f1", "up", "x"])))
        case 7: perform(source.pick(["fade-all", "stop-all", "compare", "panic", "next-scene"]))
        case 8: perform(source.pick(["next-song", "previous-song"]))
        case 9: stage.follow(blockFrames: source.pick([16, 32, 64, 128, 256]))
        case 10:
            texts[session.song] = Self.text(&source, session.song == 0 ? "one" : "two")
            do { session.follow(try Self.songs(texts)) } catch { fatalError("\(error)") }
        default: set("mute", .toggle(source.isTrue()))
        }
        play(blocks: source.below(96))
    }

    /// Renders until the longest fades and their followers are over, and ends all notes by a panic.
    func end() {
        // A scene without a follower, so that the cues come to rest.
        set("scene", .text("rest"))
        play(blocks: 60_000 / stage.blockFrames)
        require(
            stage.session.scheduleCount <= 3,
            "\(stage.session.scheduleCount) schedules are alive at the end")
        stage.checkValues()
        perform("panic")
        play(blocks: 12_000 / stage.blockFrames)
        check.checkSilence()
    }

    private func perform(_ command: String) {
        if let command = SessionCommand(rawValue: command) {
            _ = stage.session.perform(.perform(command))
        }
    }

    private func set(_ address: String, _ value: Value) {
        _ = stage.session.perform(.set(address, value))
    }

    private func fade(_ source: inout ByteSource) {
        let seconds = source.pick([0, 0.001, 0.02, 0.1, 0.5, 3600])
        let number = source.number(0...1)
        let node = Self.node(&source)
        let request: SessionRequest =
            switch source.below(4) {
            case 0: .fade("\(node).mix", .number(number), seconds: seconds)
            case 1: .fade("\(node).bypass", .toggle(number > 0.5), seconds: seconds)
            case 2: .fade("tone.frequency", .number(200 + 8_000 * number), seconds: seconds)
            default: .fade("\(node).gain", .number(-60 * number), seconds: seconds)
            }
        _ = stage.session.perform(request)
    }

    private static func node(_ source: inout ByteSource) -> String { source.pick(["x", "y", "z"]) }

    private func play(blocks: Int) {
        let sinks = [RTMessageSink](repeating: check.sink, count: 4)
        let inputs = [RTMessages](
            repeating: RTMessages(first: nil, count: 0, startFrame: 0), count: 4)
        for _ in 0..<blocks {
            check.begin(frames: stage.blockFrames)
            sinks.withUnsafeBufferPointer { sinks in
                inputs.withUnsafeBufferPointer { inputs in
                    // SAFETY: the arrays outlive the call; the scope keeps their pointers valid.
                    var call = RTEngineCall(
                        messages: inputs.baseAddress, inputCount: 4, sinks: sinks.baseAddress,
                        sinkCount: 4, isFreewheeling: false, transport: nil)
                    listen(stage.render(&call))
                }
            }
            _ = stage.session.advance()
            require(
                stage.session.scheduleCount <= 4,
                "\(stage.session.scheduleCount) schedules are alive")
        }
    }

    private func listen(_ sound: UnsafeBufferPointer<Float>) {
        for sample in sound {
            let step = abs(sample - last)
            require(step <= Self.maximumStep, "the output jumps by \(step)")
            last = sample
        }
    }

    private static func songs(_ texts: [String]) throws -> [Song] {
        try zip(texts, ["one", "two"]).map { try Stage.song($0, name: $1) }
    }

    // MARK: Files

    /// Returns a pipeline with random scenes, whose output is never louder than its input.
    static func text(_ source: inout ByteSource, _ name: String) -> String {
        let scenes = scenes.map { "\"\($0)\": { \(scene(&source, $0)) }" }.joined(separator: ", ")
        let start = source.isTrue() ? ", \"scene\": \"\(source.pick(Self.scenes))\"" : ""
        let send = source.isTrue() ? ", \"send\": [\(message(&source))]" : ""
        return """
            "name": "\(name)", "inputs": { "in": {}, "keys": { "kind": "midi" } },
            "outputs": { "out": { "channels": 1, "from": "z" }, "synth": { "kind": "midi" } },
            "nodes": [ { "id": "x", "type": "gain", "from": "in" },
                       { "id": "tone", "type": "filter", "parameters": { "shape": "lowpass", "frequency": 9000 } },
                       { "id": "y", "type": "gain" }, { "id": "z", "type": "gain" } ],
            "scenes": { \(scenes), "rest": { "x.gain": 0 } }\(start)\(send), "tail": 0.1,
            "midi": [ { "key": "g", "action": "go" }, { "key": "b", "action": "back", "guard": 0.1 },
                      { "key": "f1", "to": "y.gain", "values": [0, -6, -40] },
                      { "key": "up", "cycle": ["a", "b", "a"], "wrap": false },
                      { "key": "x", "to": "x.mute", "mode": "toggle" } ]
            """
    }

    private static func scene(_ source: inout ByteSource, _ name: String) -> String {
        var members: [String] = []
        for node in ["x", "y", "z"] where source.isTrue() {
            members.append("\"\(node).gain\": -\(source.below(60))")
        }
        if source.isTrue() { members.append("\"y.mix\": \(source.number(0...1))") }
        if source.below(4) == 0 { members.append("\"tone.frequency\": \(300 + source.below(256))") }
        if source.below(4) == 0 { members.append("\"z.bypass\": \(source.isTrue())") }
        let changes = members
        if let address = changes.first?.split(separator: "\"").first, source.isTrue() {
            let seconds = source.pick(["0", "0.001", "0.05", "0.4", "30"])
            members.append(
                source.isTrue()
                    ? "\"over\": \(seconds)"
                    : "\"over\": { \"\(address)\": \(seconds), \"others\": 0.1 }")
            members.append("\"curve\": \"\(source.pick(curves))\"")
        }
        if source.isTrue() {
            // A loop of scenes takes 0.01 s for each.
            let seconds = source.pick(["0.01", "0.02", "0.3", "2"])
            members.append(
                "\"then\": { \"scene\": \"\(source.pick(scenes))\", \"after\": \(seconds) }")
        }
        if source.isTrue() {
            let count = 1 + source.below(3)
            let messages = (0..<count).map { _ in message(&source) }
            members.append("\"send\": [\(messages.joined(separator: ", "))]")
        }
        if source.isTrue() {
            members.append("\"number\": \(source.below(100)), \"text\": \"\(name)\"")
        }
        return members.joined(separator: ", ")
    }

    private static func message(_ source: inout ByteSource) -> String {
        let channel = 1 + source.below(2)
        let number = source.below(4)
        let message =
            switch source.below(5) {
            case 0:
                "\"program\": \(number), \"bank\": \(source.below(256)), \"channel\": \(channel)"
            case 1: "\"cc\": \(number), \"value\": \(source.below(128)), \"channel\": \(channel)"
            case 2:
                "\"note\": \(number), \"duration\": 0.0\(1 + source.below(9)), \"channel\": \(channel)"
            case 3: "\"note\": \(number), \"velocity\": \(source.below(3)), \"channel\": \(channel)"
            default: "\"sysex\": \"F0 7E \(number)\(number) F7\""
            }
        return "{ \"port\": \"synth\", \(message) }"
    }
}
