import Effects
import Processing
import Realtime
import Testing
import TestSignals

/// A note of a call.
private struct Noted {
    var call: Int
    var frame: Int
    var words: [UInt64]
}

/// Random words, the same in each run (xorshift64*: Vigna, 2016).
private struct RandomWords: RandomNumberGenerator {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}

@Suite("The noted state of effects")
struct NotedStateTests {
    private static let noting = EffectCase.all.filter { $0.processor().stateNotes != nil }
    private static let callFrames = 64
    private static let seconds = 5

    /// A voice with harmonics and breath in each channel, which never pauses.
    private func input(_ channels: Int) -> [[Float]] {
        let frames = Self.seconds * 48_000
        let partials = (1...5).map {
            sineWave(
                180.3 * Double($0), amplitude: 0.2 / Double($0), frames: frames,
                sampleRate: 48_000)
        }
        return (0..<channels).map { channel in
            var sound = whiteNoise(amplitude: 0.01, frames: frames, seed: UInt64(channel + 1))
            for partial in partials {
                for frame in sound.indices { sound[frame] += partial[frame] }
            }
            return sound
        }
    }

    /// Plays calls from one on.
    ///
    /// - Parameters:
    ///   - processor: The processor.
    ///   - input: The input of all calls.
    ///   - first: The first call.
    ///   - before: Receives the number of each call before it begins.
    ///   - after: Receives the number of each call after its end.
    /// - Returns: The first output channel.
    private func play(
        _ processor: Processor, _ input: [[Float]], from first: Int = 0,
        before: (Int) -> Void = { _ in }, after: (Int) -> Void = { _ in }
    ) -> [Float] {
        var output: [Float] = []
        for call in first..<(input[0].count / Self.callFrames) {
            before(call)
            let frames = call * Self.callFrames..<(call + 1) * Self.callFrames
            output += processor.render(input.map { Array($0[frames]) })[0]
            after(call)
        }
        return output
    }

    /// Plays a processor that is asked for a note four times a second.
    private func record(_ example: EffectCase, _ input: [[Float]]) throws -> ([Float], [Noted]) {
        let processor = example.processor()
        let state = try #require(processor.stateNotes)
        processor.beginNotingState()
        var notes: [Noted] = []
        var isAsked = false
        let sound = play(processor, input) { call in
            if call % 187 == 186 { isAsked = true }
            if isAsked { state.pointee.ask() }
        } after: { call in
            guard isAsked, state.pointee.isNoted else { return }
            let words = UnsafeBufferPointer(start: state.pointee.start, count: state.pointee.count)
            notes.append(Noted(call: call, frame: state.pointee.frame, words: Array(words)))
            state.pointee.forget()
            isAsked = false
        }
        return (sound, notes)
    }

    /// Plays a new processor from a call on, which continues from notes; before that, it has played
    /// some frames.
    private func replay(
        _ example: EffectCase, _ input: [[Float]], _ notes: [Noted], from first: Int,
        after frames: Int
    ) throws -> [Float] {
        let processor = example.processor()
        let state = try #require(processor.stateNotes)
        processor.beginNotingState()
        _ = processor.render(input.map { Array($0.prefix(frames)) })
        return play(processor, input, from: first) { call in
            for note in notes where note.call == call {
                state.pointee.give(note.words, frame: note.frame)
            }
        } after: { _ in
            state.pointee.forget()
        }
    }

    @Test("is that of the effects whose sound depends on more than a few seconds")
    func names() {
        #expect(
            Set(Self.noting.map(\.name)) == [
                "feedback-guard", "freeze", "frequency-shift", "harmony", "pitch-shift",
                "time-stretch", "tune",
            ])
    }

    @Test("is noted without a change of the sound", arguments: noting)
    func silentNotes(_ example: EffectCase) throws {
        let input = input(example.inputChannels)
        let (sound, notes) = try record(example, input)
        #expect(notes.count > 15)
        #expect(sound == play(example.processor(), input))
    }

    @Test(
        "lets a new processor continue to the bit, also if its steps began at other frames",
        arguments: noting, [0, 17])
    func equality(_ example: EffectCase, _ frames: Int) throws {
        let input = input(example.inputChannels)
        let (sound, notes) = try record(example, input)
        let replayed = try replay(example, input, notes, from: 400, after: frames)
        let last = 24_000
        #expect(replayed.suffix(last) == sound.suffix(last))
    }

    @Test("is read from notes with any words without harm", arguments: noting)
    func hostileWords(_ example: EffectCase) throws {
        let input = input(example.inputChannels).map { Array($0.prefix(48_000)) }
        let (_, notes) = try record(example, input)
        var random = RandomWords()
        let extremes: [UInt64] = [
            0, .max, 1 << 63, Double.nan.bitPattern, Double.infinity.bitPattern,
            Double.greatestFiniteMagnitude.bitPattern, 0x7FC0_0000_7F80_0000,
            0x7F7F_FFFF_7F7F_FFFF, 1 << 50,
        ]
        var hostile: [Noted] = []
        for note in notes {
            for call in note.call..<note.call + 40 {
                var other = note
                other.call = call
                other.frame = Int.random(in: 0...64, using: &random)
                for _ in 0..<Int.random(in: 1...20, using: &random) {
                    let index = Int.random(in: 0..<other.words.count, using: &random)
                    let extreme = extremes[Int.random(in: 0..<extremes.count, using: &random)]
                    other.words[index] = Bool.random(using: &random) ? random.next() : extreme
                }
                if Int.random(in: 0..<8, using: &random) == 0 {
                    other.words.removeLast(Int.random(in: 1...other.words.count, using: &random))
                }
                hostile.append(other)
            }
        }
        _ = try replay(example, input, hostile, from: 0, after: 0)
    }
}
