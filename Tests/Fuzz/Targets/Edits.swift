internal import Pipelines
internal import SessionCore

extension FuzzTarget {
    /// Random operations on a session that renders, which must cause no click and no leak.
    ///
    /// The operations are edits, values, scenes, songs, panics and other block sizes.
    static let edits = FuzzTarget(
        name: "edits",
        run: { bytes in
            AllocatedMemory.checkNoGrowth {
                var source = ByteSource(bytes)
                let edited = EditedSession(&source)
                for _ in 0..<24 where !source.isEmpty { edited.step(&source) }
                edited.end()
            }
        },
        seeds: {
            [
                [3, 0, 4, 1, 2, 3, 7, 0, 2, 9, 5, 1, 0, 3, 0, 128, 20],
                [0, 4, 1, 5, 6, 3, 2, 2, 0, 30],
                [7, 0, 5, 1, 2, 3, 4, 5, 1, 0, 0, 9, 5, 4, 1, 6, 3, 2],
            ]
        })
}

/// A session of two songs that are edited while it renders.
private final class EditedSession {
    /// The largest allowed difference between neighbouring output samples.
    ///
    /// All gains are at most 1, so the output stays below the input's amplitude times the echo's 1
    /// / (1 - feedback). The fastest crossfade, 5 ms smooth, moves by at most 1.5 / 240 of twice
    /// that per frame, and several may run at once; the sine itself moves by 0.0066. A hard cut is
    /// 0.25 or more.
    private static let maximumStep: Float = 0.06

    private let stage: Stage
    private var last: Float = 0
    private var texts: [String]

    init(_ source: inout ByteSource) {
        texts = [Self.text(&source), Self.text(&source)]
        do { stage = try Stage(Self.songs(texts)) } catch {
            fatalError("the show does not begin: \(error)")
        }
        play(blocks: 8)
    }

    func step(_ source: inout ByteSource) {
        let session = stage.session
        switch source.below(8) {
        case 0:
            texts[session.song] = Self.text(&source)
            edit()
        case 1: perform("song", .number(Double(1 + source.below(3))))
        case 2: perform("scene", .number(Double(1 + source.below(3))))
        case 3: setValue(&source)
        case 4:
            texts.swapAt(0, 1)
            edit()
        case 5: stage.follow(blockFrames: [16, 32, 64, 128, 256][source.below(5)])
        case 6:
            perform(
                ["panic", "mute", "next-scene", "next-song", "go", "back"][source.below(6)], nil)
        default: perform("gain", .number(-Double(source.below(40))))
        }
        play(blocks: source.below(64))
    }

    /// Renders until everything has rung out.
    func end() {
        play(blocks: 12_000 / stage.blockFrames)
        require(
            stage.session.scheduleCount <= 3,
            "\(stage.session.scheduleCount) schedules are alive at the end")
        stage.checkValues()
    }

    private func edit() {
        do { stage.session.follow(try Self.songs(texts)) } catch { fatalError("\(error)") }
    }

    private func perform(_ address: String, _ value: Value?) {
        let command = SessionCommand(rawValue: address).map { SessionRequest.perform($0) }
        _ = stage.session.perform(value.map { .set(address, $0) } ?? command ?? .get(address))
    }

    private func setValue(_ source: inout ByteSource) {
        guard case .values(let entries) = stage.session.perform(.dump) else { return }
        let ours = entries.filter { $0.address.contains(".") }
        guard !ours.isEmpty else { return }
        let entry = source.pick(ours)
        let number = source.number(0...1)
        let value: Value? =
            switch entry.address.split(separator: ".").last {
            case "gain": .number(-24 * number)
            case "mix": .number(number)
            case "bypass", "mute", "invert": .toggle(number > 0.5)
            case "pan": .number(2 * number - 1)
            case "frequency": .number(200 + 4_000 * number)
            case "time": .number(0.09 * number)
            case "feedback": .number(0.4 * number)
            default: nil
            }
        if let value { perform(entry.address, value) }
    }

    private func play(blocks: Int) {
        for _ in 0..<blocks {
            for sample in stage.render() {
                let step = abs(sample - last)
                require(step <= Self.maximumStep, "the output jumps by \(step)")
                last = sample
            }
            _ = stage.session.advance()
            require(
                stage.session.scheduleCount <= 4,
                "\(stage.session.scheduleCount) schedules are alive")
        }
    }

    private static func songs(_ texts: [String]) throws -> [Song] {
        try texts.enumerated().map { try Stage.song($0.element, name: "song \($0.offset + 1)") }
    }

    // MARK: Files

    /// Returns a pipeline of up to six nodes, whose outputs are never louder than twice its input.
    private static func text(_ source: inout ByteSource) -> String {
        var nodes: [String] = []
        var ids: [String] = []
        for _ in 0..<source.below(6) {
            let id = "n\(source.below(8))"
            guard !ids.contains(id) else { continue }
            ids.append(id)
            nodes.append("{ \"id\": \"\(id)\", \(node(&source)) }")
        }
        let channels = 1 + source.below(2)
        let scenes =
            ids.first.map {
                ", \"scenes\": { \"a\": { \"\($0).mix\": 1 }, \"b\": { \"\($0).mix\": 0.5 } }"
            } ?? ""
        return """
            "inputs": { "in": {} }, "outputs": { "out": { "channels": \(channels) } },
            "nodes": [ \(nodes.joined(separator: ", ")) ], "tail": 0.1\(scenes)
            """
    }

    private static func node(_ source: inout ByteSource) -> String {
        switch source.below(4) {
        case 0: "\"type\": \"gain\", \"parameters\": { \"gain\": -\(source.below(24)) }"
        case 1:
            "\"type\": \"filter\", \"parameters\": { \"shape\": \"lowpass\", \"frequency\": \(300 + 10 * source.below(256)) }"
        case 2:
            "\"type\": \"delay\", \"parameters\": { \"time\": 0.0\(1 + source.below(9)), \"feedback\": 0.3 }, \"mix\": 0.5, \"settings\": { \"maximum\": 0.1 }"
        default: "\"type\": \"meter\""
        }
    }
}
