import Engine
import Processing
import SessionCore
import Testing
import TestSignals

@Suite("Fade-ins without clicks")
struct ClickTests {
    private let ones = [Float](repeating: 0.5, count: 24_000)
    private let echo =
        "\"inputs\": { \"in\": { \"channels\": 1 } }, \"outputs\": { \"out\": { \"channels\": 1 } }, \"nodes\": [ { \"id\": \"a\", \"type\": \"delay\", \"parameters\": { \"time\": 0.1, \"feedback\": 0.5 }, \"mix\": 0.5 } ]"

    @Test("the sound after a panic has no step that echoes repeat")
    func panic() throws {
        let stage = try Stage(echo)
        _ = stage.play(ones + ones)
        #expect(stage.ask("panic") == .done)
        let out = stage.play(ones + ones)[0]
        #expect(out.contains(0) && (out.last ?? 0) > 0.4)
        #expect(largestStep(out) < 0.004)
    }

    @Test("a new block size during a panic causes no step", arguments: [64, 128, 256])
    func panicAmidAnother(frames: Int) throws {
        let stage = try Stage(echo)
        _ = stage.play(ones + ones)
        #expect(stage.ask("panic") == .done)
        let before = stage.play([Float](repeating: 0.5, count: frames))[0]
        stage.session.follow(AudioFormat(sampleRate: 48_000, maximumBlockFrames: 512))
        let out = before + stage.play(ones + ones)[0]
        #expect(out.contains(0) && (out.last ?? 0) > 0.4)
        #expect(largestStep(out) < 0.004)
    }

    @Test("the first sound has no step that echoes repeat")
    func start() throws {
        let stage = try Stage([try Stage.song(echo, name: "song")], fadesIn: true)
        #expect(stage.session.engine.fadeIn(seconds: 0.05))
        let out = stage.play(ones)[0]
        #expect((out.last ?? 0) > 0.4)
        #expect(largestStep([0] + out) < 0.001)
    }

    @Test("music that restarts at once fades in, and so do its echoes")
    func again() throws {
        let stage = try Stage(echo)
        _ = stage.play([Float](repeating: 0, count: 4_800))
        #expect(stage.session.engine.fadeOut(seconds: 0))
        #expect(stage.session.engine.fadeIn(seconds: 0.05))
        let out = stage.play(ones)[0]
        #expect((out.last ?? 0) > 0.4)
        #expect(largestStep([0] + out) < 0.001)
    }

    @Test(
        "a new filter shape or echo time causes no bend", arguments: [true, false])
    func crossfades(isFilter: Bool) throws {
        let node =
            isFilter
            ? "\"type\": \"filter\", \"parameters\": { \"shape\": \"lowpass\" }"
            : "\"type\": \"delay\", \"parameters\": { \"time\": 0.02 }"
        let stage = try Stage(
            echo.prefix { $0 != "[" } + "[ { \"id\": \"a\", \(node) } ]")
        let ramp = (0..<9_600).map { Float($0) * 1e-4 }
        _ = stage.play(Array(ramp[..<4_800]))
        let moved: Answer =
            isFilter
            ? stage.ask("a.shape", .text("highpass")) : stage.ask("a.time", .number(0.08))
        #expect(moved == .done)
        let out = stage.play(Array(ramp[4_800...]))[0]
        // A linear crossfade of a ramp has two bends; a smooth crossfade keeps the slope
        // continuous.
        let bends = zip(zip(out, out.dropFirst()), out.dropFirst(2)).map {
            abs($0.0 - 2 * $0.1 + $1)
        }
        #expect(bends.max() ?? 1 < 5e-5)
    }
}
