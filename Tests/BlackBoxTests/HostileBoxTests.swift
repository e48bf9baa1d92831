import BlackBox
import Glibc
import TestNights
import TestSignals
import Testing

@Suite("Boxes that are broken or hostile")
struct HostileBoxTests {
    private let folder = ScratchFolder()

    @Test("states for nodes that do not exist, and of other lengths, do no harm")
    func strangeStates() throws {
        let path = try folder.keptStates()
        var box = try BoxReader(of: path).read()
        box.facts.isWhole = false
        let known = box.log.states[0]
        let most = known.words.count
        for (index, call) in box.log.calls.indices.enumerated() where index % 5 == 0 {
            let first = box.log.states.count
            for (node, processor, count, frame) in [
                (0, 0, index % most, 3), (0, 7, 1, 0), (9, 0, 1, 0), (0, 0, 100_000, -5),
                (0, 0, most, Int.max),
            ] {
                var state = known
                (state.node, state.processor, state.frame) = (node, processor, frame)
                state.words = [UInt64](repeating: .max >> UInt64(index % 64), count: count)
                box.log.states.append(state)
            }
            box.log.calls[call].states = first..<box.log.states.count
        }
        #expect(try box.replay(in: path).comparedCalls > 0)
    }

    @Test("a box whose sounds have other lengths than their file is refused")
    func shortSounds() throws {
        let kind = try #require(
            RandomNight.kinds.indices.first { RandomNight.kinds[$0].hasPrefix("looper") })
        let night = try RandomNight(seed: 1, memoryFolder: folder.file("memory"), kind: kind)
        night.play(seconds: 2)
        let path = folder.file("loop.stompbox")
        try night.keep(in: path)
        night.end()
        #expect(try !BoxReader(of: path).read().log.sounds.isEmpty)
        #expect(truncate("\(path)/sounds.f32", 4) == 0)
        #expect(throws: BoxError.self) { try BoxReader(of: path).read() }
        #expect(unlink("\(path)/sounds.f32") == 0)
        #expect(throws: BoxError.self) { try BoxReader(of: path).read() }
    }

    @Test(
        "a box that asks for too many cycles or for inputs that are too long is refused",
        arguments: [(count: 134_217_727, frames: 0), (count: 20_000, frames: 65_536)])
    func malicious(count: Int, frames: Int) throws {
        let path = try folder.keptNight(seed: 36)
        let run = """
            { "count": \(count), "flags": 0, "followsGap": false, "frame": 0, "frames": \(frames),
              "messageInputs": 0 }
            """
        folder.write(
            #"{ "checksums": [], "late": [], "runs": [\#(run)], "transports": [] }"#,
            to: "36.stompbox/cycles.json")
        folder.write(
            #"{ "arrivals": [], "commands": [], "messages": [] }"#, to: "36.stompbox/events.json")
        #expect(throws: BoxError.self) { try BoxReader(of: path).read() }
    }

    @Test("a schedule whose parts do not fit together is refused")
    func inconsistent() throws {
        let path = try folder.keptNight(seed: 36)
        let box = try BoxReader(of: path).read()
        let text = String(decoding: try #require(box.schedules[0]), as: UTF8.self)
        for (part, other) in [
            (#""channel":0"#, #""channel":99"#), (#""channel":0"#, #""channel":-1"#),
            (#""slots":[0"#, #""slots":[-5"#), (#""slots":[0"#, #""slots":[5000"#),
        ] {
            #expect(text.contains(part))
            var broken = box
            broken.schedules[0] = Array(text.replacing(part, with: other).utf8)
            #expect(throws: BoxError.self, "\(other)") { try broken.replay(in: path) }
        }
    }

    @Test(
        "files that are no box are errors, not crashes",
        arguments: [
            "", "{}", "[]", "{ \"version\": 2 }", "{ \"runs\": [{ \"count\": -1 }] }",
        ])
    func broken(text: String) throws {
        let path = try folder.keptNight(seed: 35)
        for name in ["box.json", "cycles.json", "events.json"] {
            let box = folder.file("broken-\(name).stompbox")
            mkdir(box, 0o700)
            for file in ScratchFolder.names(in: path) {
                try ScratchFolder.copy("\(path)/\(file)", to: "\(box)/\(file)")
            }
            let stream = try #require(fopen("\(box)/\(name)", "w"))
            fputs(text, stream)
            fclose(stream)
            #expect(throws: BoxError.self) { try BoxReader(of: box).read() }
        }
    }

    @Test(
        "an error of a file names the place",
        arguments: [
            (#"{ "version": 1 }"#, "lacks the key"), (#"{ "version": "x" }"#, "at /version"),
            ("{ x", "not valid JSON"),
        ])
    func faultPlace(text: String, place: String) throws {
        let path = try folder.keptNight(seed: 35)
        folder.write(text, to: "box.json")
        try ScratchFolder.copy(folder.file("box.json"), to: "\(path)/box.json")
        let error = #expect(throws: BoxError.self) { try BoxReader(of: path).read() }
        let message = try #require(error?.description)
        #expect(message.hasPrefix("\(path)/box.json is not valid: "))
        #expect(message.contains(place), "\(message)")
        #expect(!message.contains("CodingKeys"))
    }
}
