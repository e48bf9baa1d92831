import CRealtime
import Testing
import TestSignals

@Suite("A looper on the bars of another program")
struct ForeignTempoTests {
    private static let node =
        "\"parameters\": { \"dry\": -120 }, \"settings\": { \"quantize\": \"bar\" }"

    /// An input with an impulse 700 frames after the third bar.
    private func input(_ bar: (Int) -> Double, bars: Int) -> [Float] {
        var input = [Float](repeating: 0, count: Int(bar(bars)))
        input[Int(bar(2).rounded()) + 700] = 0.5
        return input
    }

    /// Records one bar, and returns how far each repetition is from its bar, in frames.
    private func errors(_ output: [Float], _ bar: (Int) -> Double) -> [Double] {
        output.indices.filter { abs(output[$0]) > 0.4 }.enumerated().map { index, frame in
            Double(frame) - 700 - bar(3 + index)
        }
    }

    @Test(
        "it records and plays on the bars of a MIDI clock with jitter, and stays there",
        arguments: 1...3)
    func clock(seed: Int) throws {
        // 127.3 beats per minute; the first tick is beat 0.
        let tick = 48_000 * 60 / (127.3 * 24)
        func bar(_ number: Int) -> Double { 500 + Double(number) * 96 * tick }
        var generator = SeededNumbers(seed)
        let ticks = (0..<96 * 40).map { index in
            Int(500 + Double(index) * tick + Double.random(in: -48...48, using: &generator))
        }
        let looper = try LooperEngine(
            Self.node, blockFrames: 64,
            inputs: "\"mic\": {}, \"drums\": { \"kind\": \"midi\", \"clock\": true }")
        looper.set("record", at: UInt64(bar(2) - 5_000))
        looper.set("play", at: UInt64(bar(3) - 5_000))
        var next = 0
        let bytes: [UInt8] = [0xF8]
        let output = bytes.withUnsafeBufferPointer { bytes in
            looper.render(input(bar, bars: 40), blockFrames: 64) { start, end, render in
                var messages: [RTMessage] = []
                while next < ticks.count, ticks[next] < end, let base = bytes.baseAddress {
                    messages.append(
                        RTMessage(
                            frame: Int32(max(0, ticks[next] - start)), byteCount: 1, bytes: base))
                    next += 1
                }
                messages.withUnsafeBufferPointer { messages in
                    let inputs = RTMessages(
                        first: messages.baseAddress, count: Int32(messages.count), startFrame: 0)
                    withUnsafePointer(to: inputs) { inputs in
                        var call = RTEngineCall()
                        (call.messages, call.inputCount) = (inputs, 1)
                        withUnsafePointer(to: call) { render($0) }
                    }
                }
            }
        }
        let errors = errors(output, bar)
        #expect(errors.count == 37)
        // 3 ms; without a correction of each pass, the errors of its length add up.
        #expect(errors.allSatisfy { abs($0) < 144 }, "\(errors)")
    }

    @Test("it records and plays on the bars of JACK's transport, to the frame")
    func transport() throws {
        // 113.3 beats per minute, and a transport that starts at another frame than the session.
        let beat = 48_000 * 60 / 113.3
        func bar(_ number: Int) -> Double { Double(number) * 4 * beat - 12_345 }
        let looper = try LooperEngine(Self.node, blockFrames: 64)
        looper.set("record", at: UInt64(bar(2) - 5_000))
        looper.set("play", at: UInt64(bar(3) - 5_000))
        let output = looper.render(input(bar, bars: 12), blockFrames: 64) { start, _, render in
            let beats = (Double(start) + 12_345) / beat
            let time = RTTransport(
                revision: 0, isRolling: true, isFreewheeling: false, hasBeats: true, beatUnit: 4,
                frame: Int64(start) + 12_345, bar: Int64(beats / 4),
                barBeat: beats.truncatingRemainder(dividingBy: 4), beatsPerBar: 4,
                beatsPerMinute: 113.3)
            withUnsafePointer(to: time) { time in
                var call = RTEngineCall()
                call.transport = time
                withUnsafePointer(to: call) { render($0) }
            }
        }
        let errors = errors(output, bar)
        #expect(errors.count == 9)
        #expect(errors.allSatisfy { abs($0) <= 1 }, "\(errors)")
    }
}

/// Numbers that are the same for the same seed: SplitMix64.
private struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(seed) }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
