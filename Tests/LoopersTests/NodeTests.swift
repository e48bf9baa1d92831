import Engine
import Glibc
import Loopers
import Pipelines
import Processing
import SoundFiles
import Testing
import TestSignals

@Suite("A looper as a node")
struct NodeTests {
    private static let silent = "\"parameters\": { \"dry\": -120 }"

    @Test("Commands act at their frame, in blocks of any length", arguments: [64, 1024])
    func frames(blockFrames: Int) throws {
        let looper = try LooperEngine(Self.silent, blockFrames: blockFrames)
        looper.set("record", at: 5003)
        looper.set("play", at: 53_010)
        let input = whiteNoise(frames: 160_000)
        let output = looper.render(input, blockFrames: blockFrames)
        #expect(output[..<53_010].allSatisfy { $0 == 0 })
        let length = 53_010 - 5003
        for frame in 53_010 + 240..<input.count {
            let position = (frame - 53_010) % length
            guard position < length - 240 else { continue }
            #expect(output[frame] == input[5003 + position], "frame \(frame)")
        }
    }

    @Test("A loop of bars starts at the engine's bars, even after a command within a block")
    func bars() throws {
        // 117 beats per minute: a bar of 98461.54 frames.
        func bar(_ number: Int) -> Int { Int((Double(number) * 4 * 48_000 * 60 / 117).rounded()) }
        var input = [Float](repeating: 0, count: bar(7))
        input[bar(1) + 500] = 0.5
        let outputs = try [64, 1024].map { blockFrames in
            let looper = try LooperEngine(
                Self.silent + ", \"settings\": { \"quantize\": \"bar\" }",
                blockFrames: blockFrames, tempo: 117)
            // The first command splits the cycle before the grid is known.
            looper.set("level", 0, at: 5)
            looper.set("record", at: 5011)
            looper.set("play", at: UInt64(bar(1) + 333))
            return looper.render(input, blockFrames: blockFrames)
        }
        #expect(outputs[0] == outputs[1])
        let heard = outputs[0].indices.filter { outputs[0][$0] != 0 }
        #expect(heard == (2..<7).map { bar($0) + 500 })
        #expect(heard.allSatisfy { outputs[0][$0] == 0.5 })
    }

    @Test("Two loopers on the same bars stay together to the frame")
    func together() throws {
        func bar(_ number: Int) -> Int { Int((Double(number) * 4 * 48_000 * 60 / 117).rounded()) }
        var input = [Float](repeating: 0, count: bar(12))
        // An impulse in the second bar for a loop of one bar, and in the third for one of two.
        input[bar(1) + 700] = 0.5
        input[bar(2) + 700] = 0.25
        func heard(from first: Int, bars: Int) throws -> [Int] {
            let looper = try LooperEngine(
                Self.silent + ", \"settings\": { \"quantize\": \"bar\" }", blockFrames: 256,
                tempo: 117)
            looper.set("record", at: UInt64(bar(first) - 1000))
            looper.set("play", at: UInt64(bar(first + bars) - 1000))
            let output = looper.render(input, blockFrames: 256)
            return output.indices.filter { output[$0] != 0 }
        }
        let one = try heard(from: 1, bars: 1)
        let two = try heard(from: 2, bars: 2)
        #expect(one == (2..<12).map { bar($0) + 700 })
        #expect(two == [4, 6, 8, 10].map { bar($0) + 700 })
    }

    @Test("The engine's round trip moves recordings back, unless the file sets one")
    func roundTrip() throws {
        for (settings, expected) in [("", 600), (", \"settings\": { \"latency\": 10 }", 480)] {
            let looper = try LooperEngine(Self.silent + settings, blockFrames: 64)
            looper.send(.roundTrip(frames: 600))
            looper.set("record", at: 5000)
            looper.set("play", at: 29_000)
            let input = whiteNoise(frames: 80_000)
            let output = looper.render(input, blockFrames: 64)
            #expect(output[60_000] == input[5000 + expected + (60_000 - 29_000) % 24_000])
        }
    }

    @Test("Each message of an action acts once")
    func actions() throws {
        let looper = Looper.effect().processor()
        let record = looperParameter("record")
        _ = looper.render(silence(1000), moves: [Move(record, to: 1, at: 500)])
        #expect(looper.looperReport("state") == 1)
        // A release is no action.
        _ = looper.render(silence(24_000), moves: [Move(record, to: 0, at: 10)])
        #expect(looper.looperReport("state") == 1)
        _ = looper.render(silence(1000), moves: [Move(record, to: 1, at: 0)])
        #expect(looper.looperReport("state") == 2)
        #expect(abs(looper.looperReport("length") - 24_500 / 48_000) < 1e-6)
    }

    @Test("One pedal records, plays and overdubs; twice stops; held clears")
    func pedal() {
        let looper = Looper.effect().processor()
        let pedal = looperParameter("pedal")
        func press(then frames: Int) -> Float {
            _ = looper.render(
                silence(frames), moves: [Move(pedal, to: 1, at: 0), Move(pedal, to: 0, at: 100)])
            return looper.looperReport("state")
        }
        #expect(press(then: 48_000) == 1)
        #expect(press(then: 24_000) == 2)
        #expect(press(then: 24_000) == 3)
        #expect(looper.looperReport("undo-layers") == 1)
        #expect(press(then: 24_000) == 2)
        // The first press of a double press begins an overdub, which the second one takes back.
        #expect(press(then: 5000) == 3)
        #expect(press(then: 24_000) == 6)
        #expect(looper.looperReport("undo-layers") == 1)
        #expect(press(then: 24_000) == 2)
        _ = looper.render(silence(47_990), moves: [Move(pedal, to: 1, at: 0)])
        #expect(looper.looperReport("state") == 3)
        _ = looper.render(silence(20))
        #expect(looper.looperReport("state") == 0)
    }

    @Test("Each channel has its own loop")
    func channels() {
        let looper = Looper.effect().processor(channels: 3, parameters: ["dry": -120])
        let inputs = (0..<3).map { whiteNoise(frames: 90_000, seed: UInt64($0 + 1)) }
        let outputs = looper.render(
            inputs, partition: .random(seed: 3),
            moves: [
                Move(looperParameter("record"), to: 1, at: 1000),
                Move(looperParameter("play"), to: 1, at: 31_000),
            ])
        for channel in 0..<3 {
            for frame in 31_240..<60_000 {
                #expect(outputs[channel][frame] == inputs[channel][frame - 30_000])
            }
        }
    }

    @Test("Reset removes the loop, and the same commands make the same sound again")
    func reset() {
        let looper = Looper.effect().processor(parameters: ["dry": -120])
        let input = [whiteNoise(frames: 60_000)]
        let moves = [
            Move(looperParameter("record"), to: 1, at: 1000),
            Move(looperParameter("overdub"), to: 1, at: 21_000),
        ]
        let first = looper.render(input, moves: moves)
        looper.resetState()
        #expect(looper.looperReport("state") == 0)
        #expect(looper.render(input, moves: moves) == first)
    }

    @Test(
        "A wrong setting is refused with its position and reason",
        arguments: [
            (#""settings": { "file": "loop.flac" }"#, "must end in .wav"),
            (#""settings": { "file": "../loop.wav" }"#, "outside the pipeline's folder"),
            (#""settings": { "latency": 500 }"#, "latency"),
            (#""settings": { "maximum": 0 }"#, "maximum"),
            (#""settings": { "quantize": "bars" }"#, "bar"),
            (#""parameters": { "feedback": 2 }"#, "feedback"),
        ])
    func refused(node: String, reason: String) {
        #expect {
            _ = try LooperEngine(node, blockFrames: 64)
        } throws: { error in
            guard let fault = (error as? InvalidPipeline)?.diagnostics.first else { return false }
            return fault.message.contains(reason) && fault.line > 1 && fault.column > 1
        }
    }

    private func silence(_ frames: Int) -> [[Float]] { [[Float](repeating: 0, count: frames)] }
}
