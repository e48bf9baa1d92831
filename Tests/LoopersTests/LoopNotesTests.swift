import Loopers
import Processing
import Realtime
import Testing
import TestSignals

/// A command of a call.
private struct Press {
    var call: Int
    var parameter: Int32
}

/// A note of the state in a call.
private struct NotedState {
    var call: Int
    var frame: Int
    var words: [UInt64]
}

/// A part of the sound after a call.
private struct NotedSound {
    var call: Int
    var address: UInt64
    var secondAddress: UInt64
    var samples: [Float]

    /// Gives the part to a looper.
    func restore(in processor: Processor) {
        samples.withUnsafeBufferPointer { samples in
            guard let start = samples.baseAddress else { return }
            processor.kernel.restoreSound(
                SoundPart(
                    address: address, secondAddress: secondAddress, start: start,
                    count: samples.count))
        }
    }
}

@Suite("The noted state and sound of a looper")
struct LoopNotesTests {
    private static let callFrames = 64
    private static let calls = 9000
    private static let names = [
        "record", "overdub", "play", "stop", "multiply", "insert", "undo", "redo",
    ]

    private func looper() -> Processor {
        Looper.effect().processor(
            channels: 2, parameters: ["feedback": 0.8],
            settings: ["maximum": .number(1), "latency": .number(7)])
    }

    /// Random commands, the last of which come two seconds before the end: a loop that plays.
    private func presses(seed: UInt64) -> [Press] {
        var dice = Seeded(seed)
        var presses: [Press] = []
        var call = 20
        while call < Self.calls - 1600 {
            let name = Self.names.randomElement(using: &dice) ?? "play"
            presses.append(Press(call: call, parameter: looperParameter(name)))
            call += Int.random(in: 5...300, using: &dice)
        }
        for (index, name) in ["record", "play", "overdub", "play"].enumerated() {
            presses.append(
                Press(
                    call: Self.calls - 1600 + 120 * index, parameter: looperParameter(name)))
        }
        return presses
    }

    private func input(seed: UInt64) -> [[Float]] {
        (0..<2).map {
            whiteNoise(
                amplitude: 0.1, frames: Self.calls * Self.callFrames, seed: seed + UInt64($0))
        }
    }

    /// Plays calls from one on, with the commands of these calls.
    private func play(
        _ processor: Processor, _ input: [[Float]], _ presses: [Press], from first: Int = 0,
        before: (Int) -> Void = { _ in }, after: (Int) -> Void = { _ in }
    ) -> [Float] {
        var output: [Float] = []
        for call in first..<Self.calls {
            before(call)
            let frames = call * Self.callFrames..<(call + 1) * Self.callFrames
            let moves = presses.filter { $0.call == call }.map { Move($0.parameter, to: 1, at: 20) }
            let sound = processor.render(input.map { Array($0[frames]) }, moves: moves)
            output += sound[0]
            after(call)
        }
        return output
    }

    /// Plays a looper that notes its state and its sound all the time.
    private func record(
        _ input: [[Float]], _ presses: [Press]
    ) throws -> ([Float], [NotedState], [NotedSound]) {
        let processor = looper()
        let state = try #require(processor.stateNotes)
        processor.beginNotingState()
        var (states, sounds): ([NotedState], [NotedSound]) = ([], [])
        let sound = play(processor, input, presses) { call in
            if call % 200 == 0 { state.pointee.ask() }
        } after: { call in
            if state.pointee.isNoted {
                let words = UnsafeBufferPointer(
                    start: state.pointee.start, count: state.pointee.count)
                states.append(
                    NotedState(call: call, frame: state.pointee.frame, words: Array(words)))
                state.pointee.forget()
            }
            guard let part = processor.kernel.nextSoundPart(), part.count > 0 else { return }
            let samples = UnsafeBufferPointer(start: part.start, count: part.count)
            sounds.append(
                NotedSound(
                    call: call, address: part.address, secondAddress: part.secondAddress,
                    samples: Array(samples)))
        }
        return (sound, states, sounds)
    }

    /// Plays a new looper from a call on, which continues from notes.
    private func replay(
        _ input: [[Float]], _ presses: [Press], _ states: [NotedState], _ sounds: [NotedSound],
        from first: Int
    ) throws -> [Float] {
        let processor = looper()
        let state = try #require(processor.stateNotes)
        processor.beginNotingState()
        var (nextState, nextSound) = (0, 0)
        return play(processor, input, presses, from: first) { call in
            while nextState < states.count, states[nextState].call <= call {
                if states[nextState].call == call {
                    state.pointee.give(states[nextState].words, frame: states[nextState].frame)
                }
                nextState += 1
            }
        } after: { call in
            state.pointee.forget()
            while nextSound < sounds.count, sounds[nextSound].call <= call {
                if sounds[nextSound].call == call { sounds[nextSound].restore(in: processor) }
                nextSound += 1
            }
        }
    }

    @Test("are noted without a change of the sound")
    func silentNotes() throws {
        let (input, presses) = (input(seed: 1), presses(seed: 1))
        let (sound, states, sounds) = try record(input, presses)
        #expect(states.count >= 40 && sounds.count > 1000)
        #expect(sound == play(looper(), input, presses))
    }

    @Test(
        "let a new looper continue to the bit after any commands",
        arguments: 1...4 as ClosedRange<UInt64>)
    func equality(seed: UInt64) throws {
        let (input, presses) = (input(seed: seed), presses(seed: seed))
        let (sound, states, sounds) = try record(input, presses)
        let last = 16_000
        #expect(sound.suffix(last).contains { abs($0) > 0.1 })
        // The last loop begins in the replay, or before it.
        for first in [3000, Self.calls - 1100] {
            let replayed = try replay(input, presses, states, sounds, from: first)
            #expect(replayed.suffix(last) == sound.suffix(last), "from call \(first)")
        }
        let replayed = try replay(input, presses, states, [], from: Self.calls - 1100)
        #expect(replayed.suffix(last) != sound.suffix(last))
    }

    @Test("are read without harm, whatever they contain", arguments: 1...4 as ClosedRange<UInt64>)
    func hostileNotes(seed: UInt64) throws {
        let (input, presses) = (input(seed: seed), presses(seed: seed))
        let (_, states, sounds) = try record(input, presses)
        var dice = Seeded(seed)
        let extremes: [UInt64] = [
            0, 1, 31, .max, 1 << 63, 1 << 50, 1 << 30, Double.nan.bitPattern,
            Double.infinity.bitPattern, Double.greatestFiniteMagnitude.bitPattern,
        ]
        var (hostileStates, hostileSounds): ([NotedState], [NotedSound]) = ([], [])
        for call in stride(from: 0, to: Self.calls, by: 3) {
            guard var state = states.randomElement(using: &dice),
                var sound = sounds.randomElement(using: &dice)
            else { return }
            (state.call, sound.call) = (call, call)
            state.frame = Int.random(in: 0...64, using: &dice)
            for _ in 0..<Int.random(in: 0...8, using: &dice) {
                let index = Int.random(in: 0..<state.words.count, using: &dice)
                state.words[index] =
                    switch Int.random(in: 0..<4, using: &dice) {
                    case 0: dice.next()
                    case 1: extremes.randomElement(using: &dice) ?? 0
                    case 2: UInt64.random(in: 0...2000, using: &dice)
                    default: state.words[index] ^ 1 << UInt64.random(in: 0..<64, using: &dice)
                    }
            }
            switch Int.random(in: 0..<5, using: &dice) {
            case 0: sound.address = dice.next()
            case 1: sound.secondAddress = dice.next()
            case 2: sound.secondAddress ^= 1 << UInt64.random(in: 0..<64, using: &dice)
            case 3: sound.samples.removeLast(Int.random(in: 1...sound.samples.count, using: &dice))
            default: break
            }
            hostileStates.append(state)
            hostileSounds.append(sound)
        }
        _ = try replay(input, presses, hostileStates, hostileSounds, from: 0)
    }
}
