import Loopers
import Testing
import TestSignals

@Suite("The looper with random commands")
struct RandomCommandTests {
    @Test(
        "A plain model with whole copies makes the same sound",
        arguments: 1...8 as ClosedRange<UInt64>)
    func model(seed: UInt64) {
        var dice = Seeded(seed)
        let looping = Looping(
            maximumSeconds: 1, historySeconds: 100,
            roundTripFrames: [0, 37, 400].randomElement(using: &dice) ?? 0,
            feedback: [1, 0.7].randomElement(using: &dice) ?? 1)
        let known: [LoopCommand] = [
            .record, .overdub, .overdub, .overdub, .play, .stop, .undo, .undo, .redo,
        ]
        var commands: [(frame: Int, command: LoopCommand)] = []
        var frame = 500
        while frame < 58_000 {
            let command =
                Int.random(in: 0..<30, using: &dice) == 0
                ? .clear : known.randomElement(using: &dice) ?? .play
            commands.append((frame, command))
            frame += Int.random(in: 1...2500, using: &dice)
        }
        let input = whiteNoise(frames: 60_000, seed: seed)
        let blocks = (0..<50).map { _ in Int.random(in: 1...700, using: &dice) }
        let output = looping.output(
            input, commands.map { Step($0.frame, $0.command) }, blocks: blocks)
        var model = ReferenceLooper(looping)
        let expected = model.output(input, commands)
        // The model is never silent throughout: the test compares sound.
        #expect(expected.contains { abs($0) > 0.1 })
        let wrong = input.indices.first { !(abs(output[$0] - expected[$0]) < 1e-4) }
        #expect(wrong == nil)
    }

    @Test(
        "The output does not depend on the blocks", arguments: LoopQuantize.allCases)
    func partition(quantize: LoopQuantize) {
        for seed in 1...4 as ClosedRange<UInt64> {
            var dice = Seeded(seed)
            var looping = Looping(
                maximumSeconds: 2, historySeconds: 3, quantize: quantize, roundTripFrames: 150,
                feedback: 0.9, dry: 0.5)
            looping.grid = TempoGrid(
                frame: 0, beats: 0.3, framesPerBeat: 777.7, beatsPerBar: 3)
            let steps = randomSteps(&dice, until: 78_000, distance: 1...2500)
            let input = whiteNoise(frames: 80_000, seed: seed)
            let whole = looping.output(input, steps, blocks: [80_000])
            let small = looping.output(input, steps, blocks: [1, 64, 7, 500])
            let large = looping.output(input, steps, blocks: [1024])
            #expect(whole == small)
            #expect(whole == large)
            #expect(whole.allSatisfy { $0.isFinite })
        }
    }

    @Test(
        "No command makes a step", arguments: 1...4 as ClosedRange<UInt64>, LoopQuantize.allCases)
    func steps(seed: UInt64, quantize: LoopQuantize) {
        var dice = Seeded(seed)
        // With a constant input, the output changes only by fades.
        var looping = Looping(
            sampleRate: 48_000, maximumSeconds: 1.2, historySeconds: 3, quantize: quantize,
            roundTripFrames: [0, 192, 3072].randomElement(using: &dice) ?? 0, feedback: 0.5)
        looping.grid = TempoGrid(frame: 0, beats: 0.3, framesPerBeat: 4666.2, beatsPerBar: 3)
        let input = [Float](repeating: 0.5, count: 600_000)
        let steps = randomSteps(&dice, until: 580_000, distance: 600...30_000)
        let output = looping.output(input, steps, blocks: [256])
        #expect(output.contains { $0 > 0.4 })
        var largest: (step: Float, frame: Int) = (0, 0)
        for frame in 1..<output.count {
            let step = abs(output[frame] - output[frame - 1])
            if step > largest.step { largest = (step, frame) }
        }
        // The loop is at most 1: a fade moves it by 1.5 / 241 per frame, twice as fast at double
        // speed, and fades can overlap.
        #expect(largest.step < 4 * 1.5 / 241, "step at frame \(largest.frame)")
    }

    /// Returns commands and changes of values at increasing frames.
    private func randomSteps(
        _ dice: inout Seeded, until end: Int, distance: ClosedRange<Int>
    ) -> [Step] {
        let commands: [LoopCommand] = [
            .record, .overdub, .overdub, .overdub, .play, .play, .play, .stop, .multiply, .insert,
            .undo, .undo, .redo,
        ]
        var steps: [Step] = []
        var frame = 400
        while frame < end {
            let change: Step.Change =
                switch Int.random(in: 0..<30, using: &dice) {
                case 0: .command(.clear)
                case 1...3: .halfFrames([1, 2, 4, -1, -2, -4].randomElement(using: &dice) ?? 2)
                case 4, 5: .halfFrames(2)
                case 6: .mute(Bool.random(using: &dice))
                case 7: .mute(false)
                case 8: .level([0.5, 1].randomElement(using: &dice) ?? 1)
                default: .command(commands.randomElement(using: &dice) ?? .play)
                }
            steps.append(Step(frame, change))
            frame += Int.random(in: distance, using: &dice)
        }
        return steps
    }
}
