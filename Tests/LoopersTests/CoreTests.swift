import Loopers
import Testing
import TestSignals

@Suite("The core of the looper")
struct CoreTests {
    @Test("A loop has exactly the length between two presses and repeats sample by sample")
    func length() {
        let looping = Looping()
        let input = whiteNoise(frames: 20_000)
        let output = looping.output(input, [Step(1000, .record), Step(4001, .play)])
        #expect(output[..<4001].allSatisfy { $0 == 0 })
        // Outside the first fade-in and the seams, the output is the recording.
        for frame in 4001 + looping.fadeFrames..<input.count {
            let position = (frame - 4001) % 3001
            guard position < 3001 - looping.fadeFrames else { continue }
            #expect(output[frame] == input[1000 + position], "frame \(frame)")
        }
    }

    @Test("The end of a loop fades into the sound before its first frame, by the documented law")
    func seam() {
        let looping = Looping()
        let fade = FadeLaw(sampleRate: looping.sampleRate)
        let input = whiteNoise(frames: 12_000)
        let output = looping.output(input, [Step(1000, .record), Step(4000, .play)])
        for index in 0..<fade.count {
            let weight = fade.weight(after: index + 1)
            let (tail, lead) = (input[4000 - fade.count + index], input[1000 - fade.count + index])
            let expected = tail + (lead - tail) * weight
            #expect(abs(output[7000 - fade.count + index] - expected) < 1e-6)
        }
        #expect(output[7000] == input[1000])
    }

    @Test(
        "A free recording contains the input between the presses, and plays on without a delay",
        arguments: [0, 1, 500])
    func latency(roundTrip: Int) {
        let looping = Looping(roundTripFrames: roundTrip)
        let input = whiteNoise(frames: 20_000)
        let output = looping.output(input, [Step(1000, .record), Step(5000, .play)])
        // A sound that is repeated in time must be output a round trip before it would be played.
        for frame in 5000 + looping.fadeFrames..<input.count {
            let position = (frame - 5000 + roundTrip) % 4000
            guard position < 4000 - looping.fadeFrames else { continue }
            #expect(output[frame] == input[1000 + position])
        }
    }

    @Test("A recording on the beat contains what was played to the beats")
    func latencyOnBeat() {
        var looping = Looping(quantize: .beat, roundTripFrames: 500)
        looping.grid = TempoGrid(frame: 0, beats: 0, framesPerBeat: 4000, beatsPerBar: 4)
        let input = whiteNoise(frames: 30_000)
        let output = looping.output(input, [Step(3000, .record), Step(7000, .play)])
        for frame in 8000 + looping.fadeFrames..<input.count {
            let position = (frame - 8000) % 4000
            guard position < 4000 - looping.fadeFrames else { continue }
            #expect(output[frame] == input[4000 + 500 + position])
        }
    }

    @Test("An overdub adds what was played with the loop, and the loop falls by the feedback")
    func overdub() {
        let looping = Looping(roundTripFrames: 300, feedback: 0.5)
        let input = whiteNoise(frames: 30_000)
        let output = looping.output(
            input,
            [Step(1000, .record), Step(5000, .play), Step(9000, .overdub), Step(13_000, .play)])
        // The loop begins 300 frames before the presses; its seam is left out.
        for position in looping.fadeFrames..<3600 {
            let (first, second) = (input[1300 + position], input[9300 + position])
            let expected = 0.5 * first + second
            #expect(abs(output[17_000 + position] - expected) < 1e-6)
            #expect(abs(output[25_000 + position] - expected) < 1e-6)
        }
    }

    @Test("Undo restores the loop bit for bit, and redo the overdub")
    func undo() {
        let looping = Looping()
        let input = whiteNoise(frames: 40_000)
        let output = looping.output(
            input,
            [
                Step(1000, .record), Step(5000, .overdub), Step(9000, .overdub),
                Step(13_000, .overdub), Step(17_000, .undo), Step(21_000, .undo),
                Step(25_000, .undo), Step(29_000, .redo), Step(33_000, .redo),
            ])
        let inner = looping.fadeFrames..<4000 - looping.fadeFrames
        func cycle(_ frame: Int) -> [Float] { inner.map { output[frame + $0] } }
        // The overdub of frame 13000 is undone first, then that of frame 5000.
        #expect(cycle(17_000) == cycle(13_000))
        #expect(cycle(21_000) == cycle(5000))
        #expect(cycle(25_000) == cycle(5000))
        #expect(cycle(29_000) == cycle(13_000))
        #expect(cycle(33_000) != cycle(29_000))
    }

    @Test("A loop of bars starts on the frame nearest to each bar, without drift")
    func grid() {
        // A bar of 117.3 beats per minute is no whole number of frames.
        let framesPerBeat = 8000 * 60 / 117.3
        var looping = Looping(maximumSeconds: 6, quantize: .bar)
        looping.grid = TempoGrid(
            frame: 0, beats: 0, framesPerBeat: framesPerBeat, beatsPerBar: 4)
        func bar(_ number: Int) -> Int { Int((Double(number) * 4 * framesPerBeat).rounded()) }
        var input = [Float](repeating: 0, count: bar(60))
        input[bar(1) + 10] = 1
        let output = looping.output(input, [Step(5, .record), Step(bar(1) + 400, .play)])
        let impulses = output.indices.filter { output[$0] == 1 }
        #expect(impulses == (3..<60).map { bar($0) + 10 })
    }

    @Test("Reverse plays the loop backwards")
    func reverse() {
        let looping = Looping()
        var input = [Float](repeating: 0, count: 30_000)
        input[2000] = 1
        input[2003] = 0.5
        let output = looping.output(
            input, [Step(1000, .record), Step(5000, .play), Step(9000, .halfFrames(-2))])
        let heard = output.indices.dropFirst(9000 + looping.fadeFrames).filter { output[$0] != 0 }
        #expect(heard.count >= 4)
        #expect(heard.map { output[$0] }.prefix(4) == [0.5, 1, 0.5, 1])
        #expect(heard[1] == heard[0] + 3)
        #expect(heard[2] == heard[0] + 4000)
    }

    @Test("Half and double speed move a sine by an octave")
    func speed() {
        let looping = Looping()
        // 400 Hz at 8000 Hz: 20 frames per period.
        let input = sineWave(400, amplitude: 1, frames: 40_000, sampleRate: 8000)
        for (step, period) in [(1, 40), (4, 10)] {
            let output = looping.output(
                input, [Step(1000, .record), Step(5000, .play), Step(9000, .halfFrames(step))])
            // Twice the period: the same again, in the middle of a cycle.
            let frames = 9500..<10_500
            var (error, energy): (Float, Float) = (0, 0)
            for frame in frames {
                error = max(error, abs(output[frame] - output[frame + period]))
                energy = max(energy, abs(output[frame]))
            }
            #expect(error < 0.01)
            #expect(energy > 0.9)
        }
    }

    @Test("Double speed removes what lies above its band")
    func bandLimit() {
        let looping = Looping()
        // 3200 Hz at 8000 Hz would become 6400 Hz, and alias to 1600 Hz.
        let input = sineWave(3200, amplitude: 1, frames: 20_000, sampleRate: 8000)
        let output = looping.output(
            input, [Step(1000, .record), Step(5000, .play), Step(9000, .halfFrames(4))])
        let loudest = output[9200..<10_900].map(abs).max() ?? 1
        #expect(loudest < 0.03)
    }

    @Test("Multiply repeats the loop and adds one performance over all repetitions")
    func multiply() {
        let looping = Looping()
        let input = whiteNoise(frames: 60_000)
        let output = looping.output(
            input,
            [
                Step(1000, .record), Step(5000, .play), Step(7000, .multiply),
                Step(18_000, .multiply),
            ])
        // From 9000 to 21000: three cycles.
        for position in looping.fadeFrames..<4000 - looping.fadeFrames {
            for cycle in 0..<3 {
                let frame = cycle * 4000 + position
                let expected = input[1000 + position] + input[9000 + frame]
                #expect(abs(output[33_000 + frame] - expected) < 1e-6)
                #expect(abs(output[21_000 + frame] - expected) < 1e-6)
            }
        }
    }

    @Test("Insert adds a recording at the end of the loop; undo removes it")
    func insert() {
        let looping = Looping()
        let input = whiteNoise(frames: 60_000)
        var steps = [
            Step(1000, .record), Step(5000, .play), Step(7000, .insert), Step(11_000, .play),
        ]
        let output = looping.output(input, steps)
        let fade = looping.fadeFrames
        #expect(output[9000 + fade..<11_000].allSatisfy { $0 == 0 })
        for start in [11_000, 17_000] {
            for position in fade..<4000 - fade {
                #expect(output[start + position] == input[1000 + position])
            }
            for position in 0..<2000 - fade {
                #expect(output[start + 4000 + position] == input[9000 + position])
            }
        }
        steps.append(Step(23_000, .undo))
        let undone = looping.output(input, steps)
        for position in fade..<4000 - fade {
            #expect(undone[23_000 + position] == input[1000 + position])
            #expect(undone[27_000 + position] == input[1000 + position])
        }
    }

    @Test("Stop is silent, and play starts at the beginning of the loop")
    func stop() {
        let looping = Looping()
        let input = whiteNoise(frames: 20_000)
        let output = looping.output(
            input,
            [Step(1000, .record), Step(4000, .play), Step(8000, .stop), Step(9000, .play)])
        #expect(output[8000 + looping.fadeFrames..<9000].allSatisfy { $0 == 0 })
        for position in looping.fadeFrames..<3000 - looping.fadeFrames {
            #expect(output[9000 + position] == input[1000 + position])
        }
    }

    @Test("A recording ends at the maximum and plays")
    func maximum() {
        let looping = Looping(maximumSeconds: 1)
        let longest = looping.sizes.maximumFrames
        let input = whiteNoise(frames: 3 * longest + 1000)
        let output = looping.output(input, [Step(500, .record)])
        for position in looping.fadeFrames..<longest - looping.fadeFrames {
            #expect(output[500 + longest + position] == input[500 + position])
        }
    }

    @Test("Undo forgets the oldest overdubs if its memory is full, and the loop stays whole")
    func history() {
        // Ten pages of 4096 frames; the loop needs five, and each overdub five more.
        let looping = Looping(historySeconds: 0)
        let input = whiteNoise(frames: 400_000)
        var steps = [Step(1000, .record), Step(21_000, .play)]
        for pass in 0..<8 {
            steps.append(Step(41_000 + pass * 40_000, .overdub))
            steps.append(Step(61_000 + pass * 40_000, .play))
        }
        var fewest = Int.max
        let output = looping.output(input, steps) { frame, core in
            if frame > 370_000 { fewest = min(fewest, core.track.undoCount) }
        }
        #expect(fewest < 8)
        for position in looping.fadeFrames..<20_000 - looping.fadeFrames {
            let passes = (0..<8).map { input[41_000 + $0 * 40_000 + position] }
            let expected = passes.reduce(input[1000 + position], +)
            #expect(abs(output[361_000 + position] - expected) < 1e-5)
        }
    }

    @Test("The input is heard at its level")
    func dry() {
        let input = whiteNoise(frames: 1000)
        #expect(Looping(dry: 1).output(input, []) == input)
    }

    @Test("Input that is not a number does not enter the loop")
    func notFinite() {
        var input = whiteNoise(frames: 20_000)
        input[2000] = .nan
        input[2001] = .infinity
        let output = Looping().output(input, [Step(1000, .record), Step(5000, .overdub)])
        #expect(output[5000...].allSatisfy { $0.isFinite })
    }
}
