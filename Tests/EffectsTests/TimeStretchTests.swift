import Effects
import Glibc
import Processing
import Realtime
import Testing
import TestSignals

private let rate: Int32 = 0
private let semitones: Int32 = 1

private func stretch(
    channels: Int = 1, rate: Float = 1, semitones: Float = 0, whenFull: String = "live",
    sampleRate: Double = 48_000, bufferSeconds: Double = 2
) -> Processor {
    effect("time-stretch").processor(
        channels: channels, sampleRate: sampleRate,
        parameters: ["rate": rate, "semitones": semitones],
        settings: ["buffer": .number(bufferSeconds), "when-full": .text(whenFull)])
}

/// Returns the difference of a part of an output from the delayed input, relative to the input, in
/// dB.
private func difference(
    _ output: [Float], _ input: [Float], late: Int, in range: Range<Int>
) -> Double {
    let wanted = input[(range.lowerBound - late)..<(range.upperBound - late)]
    let rest = zip(output[range], wanted).map { $0 - $1 }
    return levelDecibels(rms(rest) / rms(wanted))
}

/// Noise bursts, a chord and clicks.
private func music(frames: Int, sampleRate: Double = 48_000) -> [Float] {
    var sound = whiteNoise(amplitude: 0.2, frames: frames)
    let beat = Int(sampleRate / 4)
    for frame in 0..<frames {
        sound[frame] *= Float(exp(-8 * Double(frame % beat) / Double(beat)))
    }
    for hertz in [110.0, 277.2, 329.6] {
        let wave = sineWave(hertz, amplitude: 0.1, frames: frames, sampleRate: sampleRate)
        for frame in 0..<frames { sound[frame] += wave[frame] }
    }
    return sound
}

/// A time stretch that plays sound from long ago.
enum OldSound: CaseIterable {
    case frozen, frozenInLoop, loop, shiftedLoop

    func processor(channels: Int, rate: Float = 1) -> Processor {
        stretch(
            channels: channels, rate: rate,
            semitones: self == .shiftedLoop ? 5 : 0, whenFull: self == .frozen ? "live" : "loop",
            bufferSeconds: self == .frozen ? 10 : 1)
    }

    /// The moves of the rate in the first three seconds.
    var moves: [Move] {
        // 200 ms after a burst of noise.
        let freeze = Move(rate, to: 0, at: 45_600)
        switch self {
        case .frozen, .frozenInLoop: return [freeze]
        case .loop: return [freeze, Move(rate, to: 1, at: 110_000)]
        case .shiftedLoop: return [freeze, Move(rate, to: 0.7, at: 110_000)]
        }
    }
}

@Suite("Time stretch")
struct TimeStretchTests {
    /// Plays a stretch for eight seconds, and another one that begins after three seconds and
    /// continues from notes of the state.
    ///
    /// - Parameters:
    ///   - kind: The kind of stretch.
    ///   - notesSound: Whether the other one also receives the sound, two samples per frame.
    /// - Returns: The last second of both outputs.
    /// - Throws: If a processor notes no state.
    private func continued(
        _ kind: OldSound, notesSound: Bool
    ) throws -> (output: [[Float]], repeated: [[Float]]) {
        let start = 144_000
        let left = music(frames: 384_000)
        let noise = whiteNoise(amplitude: 0.05, frames: left.count, seed: 3)
        let input = [left, zip(left, noise).map { $0 + $1 }]
        let first = kind.processor(channels: 2)
        let second = kind.processor(channels: 2, rate: kind.moves.last?.value ?? 1)
        first.beginNotingState()
        second.beginNotingState()
        let notes = (try #require(first.stateNotes), try #require(second.stateNotes))
        _ = first.render(input.map { Array($0[..<start]) }, moves: kind.moves)
        // The steps of both begin at other frames.
        _ = second.render(input.map { Array($0[..<17]) })
        var (output, repeated): ([[Float]], [[Float]]) = ([[], []], [[], []])
        var (isAsked, samplesLeft) = (false, 0)
        for call in start / 64..<left.count / 64 {
            let part = input.map { Array($0[call * 64..<(call + 1) * 64]) }
            isAsked = isAsked || call % 600 == 0
            if isAsked { notes.0.pointee.ask() }
            let played = first.render(part)
            if isAsked, notes.0.pointee.isNoted {
                let words = UnsafeBufferPointer(
                    start: notes.0.pointee.start, count: notes.0.pointee.count)
                notes.1.pointee.give(Array(words), frame: notes.0.pointee.frame)
                notes.0.pointee.forget()
                isAsked = false
            }
            let again = second.render(part)
            notes.1.pointee.forget()
            samplesLeft = min(samplesLeft, 0) + 128
            while notesSound, samplesLeft > 0, let sound = first.kernel.nextSoundPart() {
                second.kernel.restoreSound(sound)
                samplesLeft -= sound.count
            }
            for channel in 0..<2 {
                output[channel] += played[channel]
                repeated[channel] += again[channel]
            }
        }
        let last = left.count - 48_000 - start
        return (
            output.map { Array($0[last...]) }, repeated.map { Array($0[last...]) }
        )
    }

    @Test(
        "continues to the bit in a new processor from notes of its state and its sound",
        arguments: OldSound.allCases)
    func notedSound(_ kind: OldSound) throws {
        let (output, repeated) = try continued(kind, notesSound: true)
        #expect(output == repeated)
        #expect(output.allSatisfy { rms($0) > 0.01 })
        let (played, without) = try continued(kind, notesSound: false)
        #expect(played == output && without != output)
    }

    @Test("notes no sound that passes by itself")
    func newSound() {
        let processor = stretch(rate: 1, semitones: -5)
        _ = processor.render([music(frames: 48_000)])
        #expect(processor.kernel.nextSoundPart()?.count == nil)
    }

    @Test("stays finite with parts of any addresses and samples")
    func hostileParts() throws {
        let processor = OldSound.shiftedLoop.processor(channels: 1)
        let input = [music(frames: 144_000)]
        _ = processor.render(input, moves: OldSound.shiftedLoop.moves)
        let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: SoundPart.capacity)
        defer { samples.deallocate() }
        let start = UnsafePointer(try #require(samples.baseAddress))
        let block = [Array(input[0][..<640])]
        for bit: UInt64 in 0..<64 {
            for sample in [
                Float.nan, .infinity, -.greatestFiniteMagnitude, 5e5, .leastNonzeroMagnitude,
            ] {
                samples.initialize(repeating: sample)
                let part = try #require(
                    processor.kernel.nextSoundPart() ?? processor.kernel.nextSoundPart())
                for address in [part.address, part.address ^ 1 << bit] {
                    processor.kernel.restoreSound(
                        SoundPart(
                            address: address, secondAddress: part.secondAddress, start: start,
                            count: samples.count))
                }
                let output = processor.render(block)[0]
                #expect(output.allSatisfy { $0.isFinite })
            }
        }
    }

    @Test(
        "passes the signal unchanged at rate 1, delayed by its latency",
        arguments: [44_100.0, 48_000, 96_000, 192_000])
    func transparency(_ sampleRate: Double) {
        let processor = stretch(sampleRate: sampleRate)
        let input = music(frames: Int(sampleRate), sampleRate: sampleRate)
        let output = processor.render([input])[0]
        let late = processor.latencyFrames
        #expect(difference(output, input, late: late, in: (late + 1)..<input.count) < -120)
        #expect(abs(Double(late) / sampleRate - 0.1329) < 0.013)
    }

    @Test("plays half as fast at rate 0.5: events one second apart become two seconds apart")
    func halfSpeed() {
        var input = [Float](repeating: 0, count: 240_000)
        for place in [24_000, 72_000] { input[place] = 0.9 }
        let output = stretch(rate: 0.5, bufferSeconds: 5).render([input])[0]
        let clicks = output.indices.filter { abs(output[$0]) > 0.8 }
        #expect(clicks.count == 2)
        #expect(abs(clicks[1] - clicks[0] - 96_000) <= 1)
    }

    @Test(
        "keeps a sine pure at every rate and interval", arguments: [0.3, 0.5, 0.8, 1],
        [-7, 0, 5, 12])
    func purity(_ speed: Double, _ interval: Int) {
        let input = sineWave(440, frames: 144_000, sampleRate: 48_000)
        let processor = stretch(
            rate: Float(speed), semitones: Float(interval), bufferSeconds: 10)
        let output = processor.render([input])[0]
        let wanted = 440 * exp2(Double(interval) / 12)
        let partials = Partials(of: output[48_000...], at: [wanted], sampleRate: 48_000)
        #expect(abs(partials.decibels(0) - levelDecibels(0.5)) < 0.02)
        #expect(levelDecibels(partials.residual) < -85)
    }

    @Test(
        "moves the pitch at the speed of the input, an upward interval without additional delay",
        arguments: [-12, -5, -1, 3, 7, 24])
    func interval(_ interval: Int) {
        let processor = stretch(semitones: Float(interval))
        let place = 40_000
        var input = [Float](repeating: 0, count: 96_000)
        input[place] = 0.9
        let output = processor.render([input])[0]
        let centre = energyCentre(output) - Double(place + processor.latencyFrames)
        // Below 0, the frames stretched ahead of the reader last longer: half a window and a hop.
        let longer = interval < 0 ? 2585 * (exp2(-Double(interval) / 12) - 1) : 0
        #expect(abs(centre - longer) < 8)
        let sine = sineWave(440, frames: 96_000, sampleRate: 48_000)
        let moved = stretch(semitones: Float(interval)).render([sine])[0]
        let wanted = 440 * exp2(Double(interval) / 12)
        let partials = Partials(of: moved[30_000...], at: [wanted], sampleRate: 48_000)
        #expect(abs(partials.decibels(0) - levelDecibels(0.5)) < 0.02)
        #expect(levelDecibels(partials.residual) < -85)
    }

    @Test("does not alias: partials and attacks that move beyond Nyquist disappear")
    func folding() {
        var input = [Float](repeating: 0, count: 96_000)
        let wave = sineWave(15_000, frames: 4000, sampleRate: 48_000)
        for start in stride(from: 20_000, to: 90_000, by: 9000) {
            for frame in wave.indices {
                let edge = min(Double(frame) / 20, Double(wave.count - frame) / 400, 1)
                input[start + frame] = wave[frame] * Float(edge)
            }
        }
        let output = stretch(semitones: 12).render([input])[0]
        #expect(levelDecibels(rms(output) / rms(input)) < -50)
    }

    @Test("freezes at rate 0: the sound continues at its level and pitch")
    func freeze() {
        let notes = [220.0, 277.2, 329.6]
        var input = [Float](repeating: 0, count: 240_000)
        for note in notes {
            let wave = sineWave(note, amplitude: 0.2, frames: 60_000, sampleRate: 48_000)
            for frame in wave.indices { input[frame] += wave[frame] }
        }
        let output = stretch(bufferSeconds: 10).render(
            [input], moves: [Move(rate, to: 0, at: 48_000)])
        for start in stride(from: 60_000, to: 230_000, by: 9600) {
            let part = output[0][start..<(start + 9600)]
            let partials = Partials(of: part, at: notes, sampleRate: 48_000)
            for index in notes.indices {
                #expect(abs(partials.decibels(index) - levelDecibels(0.2)) < 0.3)
            }
        }
    }

    @Test(
        "catches up to the exact frame, and then passes the signal unchanged",
        arguments: [Float(1.1), 2, 4])
    func catchingUp(_ speed: Float) {
        let processor = stretch()
        let input = music(frames: 480_000)
        let moves = [
            Move(rate, to: 0.5, at: 24_000), Move(rate, to: 0, at: 50_000),
            Move(rate, to: speed, at: 60_000),
        ]
        let output = processor.render([input], moves: moves)[0]
        // 23,000 frames are pending; each frame reduces them by speed - 1.
        let end = 60_000 + Int(24_000 / (speed - 1)) + 9600 + processor.latencyFrames
        #expect(
            difference(output, input, late: processor.latencyFrames, in: end..<input.count) < -100)
    }

    @Test(
        "is unchanged within 200 ms after the interval returns to 0",
        arguments: [Float(-12), -5, 7, 24])
    func returning(_ interval: Float) {
        let processor = stretch()
        let input = music(frames: 192_000)
        let moves = [
            Move(semitones, to: interval, at: 48_000), Move(semitones, to: 0, at: 96_000),
        ]
        let output = processor.render([input], moves: moves)[0]
        let late = processor.latencyFrames
        let start = 96_000 + 9600 + late
        #expect(difference(output, input, late: late, in: start..<192_000) < -60)
    }

    @Test("returns to the present when the buffer is full, or plays the buffer forever")
    func whenFull() {
        var input = whiteNoise(frames: 48_000)
        input += [Float](repeating: 0, count: 300_000)
        let freeze = [Move(rate, to: 0, at: 40_000)]
        let live = stretch(whenFull: "live").render([input], moves: freeze)[0]
        #expect(rms(live[100_000..<130_000]) > 0.1)
        #expect(live[160_000...].allSatisfy { $0 == 0 })
        let loop = stretch(whenFull: "loop").render([input], moves: freeze)[0]
        #expect(rms(loop[300_000...]) > 0.1)
    }

    @Test("loops the buffer, with the same sound in each pass")
    func loop() {
        let processor = stretch(whenFull: "loop", bufferSeconds: 1)
        let input = music(frames: 480_000)
        // The buffer is full after a second at rate 0; then it loops at rate 1, one second per
        // pass.
        let moves = [Move(rate, to: 0, at: 48_000), Move(rate, to: 1, at: 110_000)]
        let output = processor.render([input], moves: moves)[0]
        let rounds = Array(output[240_000...])
        // The seam is at a different frame in each pass, and its crossfade takes a window: a tenth
        // of a second.
        let same = stride(from: 0, to: 184_000, by: 1000).filter { start in
            let rest = (start..<start + 1000).map { rounds[$0 + 48_000] - rounds[$0] }
            return levelDecibels(rms(rest) / rms(rounds[start..<start + 1000])) < -100
        }
        #expect(same.count > 184 * 8 / 10)
    }

    @Test("leaves the loop for the present input above rate 1")
    func leavingTheLoop() {
        let processor = stretch(whenFull: "loop", bufferSeconds: 1)
        let input = music(frames: 480_000)
        let moves = [Move(rate, to: 0.2, at: 24_000), Move(rate, to: 2, at: 240_000)]
        let output = processor.render([input], moves: moves)[0]
        let late = processor.latencyFrames
        #expect(difference(output, input, late: late, in: 330_000..<480_000) < -100)
    }

    @Test("changes without a click")
    func glides() {
        let input = sineWave(300, frames: 300_000, sampleRate: 48_000)
        var moves: [Move] = []
        let speeds: [Float] = [0.5, 0, 3, 1, 0.1, 4, 1, 0.9, 1]
        for (index, speed) in speeds.enumerated() {
            moves.append(Move(rate, to: speed, at: 20_000 + 24_001 * index))
            moves.append(Move(semitones, to: Float(index % 3 - 1) * 7, at: 26_000 + 24_001 * index))
        }
        let output = stretch().render([input], moves: moves)[0]
        // No partial exceeds 300 Hz a fifth up, at 0.5; a crossfade at most adds two of them.
        let steepest = Float(0.5 * 2 * Double.pi * 300 * exp2(7.0 / 12) / 48_000)
        #expect(largestStep(Array(output[8000...])) < 1.5 * steepest)
        #expect(rms(output[8000...]) > 0.25)
    }

    @Test("processes channels alike: equal channels stay bit-identical")
    func channels() {
        let input = music(frames: 100_000)
        let moves = [Move(rate, to: 0.7, at: 3000), Move(semitones, to: 3, at: 30_000)]
        let outputs = stretch(channels: 3).render([input, input, input], moves: moves)
        #expect(outputs[1] == outputs[0] && outputs[2] == outputs[0])
    }

    @Test("stays finite and near the input's level, whatever changes")
    func extremes() {
        let inputs = (0..<8).map { whiteNoise(frames: 240_000, seed: UInt64($0 + 1)) }
        let moves = (0..<470).map { index in
            index.isMultiple(of: 2)
                ? Move(rate, to: Float(index * 7 % 9) / 2, at: 500 * index)
                : Move(semitones, to: Float(index * 11 % 49 - 24), at: 500 * index)
        }
        for whenFull in ["live", "loop"] {
            let processor = stretch(channels: 8, whenFull: whenFull, bufferSeconds: 1)
            for output in processor.render(inputs, partition: .random(seed: 5), moves: moves) {
                #expect(output.allSatisfy { abs($0) < 3 })
            }
        }
    }
}
