import CRealtime
import Engine
import Pipelines
import Processing
import Testing
import TestSignals

@Suite("Bindings that move values of the session")
struct MasterBindingTests {
    private static func pipeline(_ bindings: [Pipeline.Binding]) -> Pipeline {
        var graph = Graph()
        graph.add("gain", "late", from: ["in"])
        graph.output(from: ["gain"])
        var pipeline = graph.pipeline
        pipeline.inputs.append(.init(name: "keys", channels: 0, kind: .midi, connect: []))
        pipeline.bindings = bindings
        return pipeline
    }

    private static func move(
        _ value: MasterValue, _ from: Float, _ to: Float,
        _ trigger: Pipeline.Binding.Trigger = .controller(7),
        mode: Pipeline.Binding.Mode = .absolute, takeover: Pipeline.Binding.Takeover = .jump
    ) -> Pipeline.Binding {
        Pipeline.Binding(
            trigger: trigger, channel: nil, port: nil,
            action: .move(
                .master(value), from: from, to: to, curve: .linear, mode: mode,
                takeover: takeover))
    }

    /// An engine that plays ones and receives messages at frames counted from its start.
    private final class Hand {
        let playing: Playing
        private var frame = 0
        /// The messages that the output for feedback has sent.
        let feedback = MessageRecorder()
        private(set) var reports: [Report] = []

        init(_ bindings: [Pipeline.Binding], hasClock: Bool = false) throws {
            var bound = pipeline(bindings)
            bound.inputs[1].hasClock = hasClock
            playing = try Playing(bound)
        }

        func render(
            _ frames: Int, calls: Int = 64, _ messages: [(frame: Int, bytes: [UInt8])] = []
        ) -> [Float] {
            var output: [Float] = []
            let end = frame + frames
            let ones = [Float](repeating: 1, count: frames)
            while frame < end {
                let count = min(calls, end - frame)
                let due = messages.filter { (frame..<frame + count).contains($0.frame) }
                output += renderCall(Array(ones[..<count]), due)
                frame += count
            }
            reports += playing.reports()
            return output
        }

        private func renderCall(
            _ sound: [Float], _ messages: [(frame: Int, bytes: [UInt8])]
        ) -> [Float] {
            var output = [Float](repeating: .nan, count: sound.count)
            let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 3 * messages.count + 1)
            defer { bytes.deallocate() }
            let list = messages.enumerated().map { index, message in
                for (offset, byte) in message.bytes.enumerated() {
                    bytes[3 * index + offset] = byte
                }
                return RTMessage(
                    frame: Int32(message.frame - frame), byteCount: Int32(message.bytes.count),
                    bytes: UnsafePointer(bytes + 3 * index))
            }
            feedback.callStart = frame
            var sink = feedback.sink
            list.withUnsafeBufferPointer { list in
                var input = RTMessages(
                    first: list.baseAddress, count: Int32(list.count), startFrame: 0)
                withUnsafePointer(to: &input) { input in
                    withUnsafePointer(to: &sink) { sink in
                        var call = RTEngineCall()
                        (call.messages, call.inputCount) = (input, 1)
                        (call.sinks, call.sinkCount) = (sink, 1)
                        sound.withUnsafeBufferPointer { sound in
                            output.withUnsafeMutableBufferPointer { output in
                                guard let from = sound.baseAddress, let to = output.baseAddress
                                else { return }
                                playing.engine.audio.render(
                                    frameCount: sound.count, inputs: [from], outputs: [to],
                                    engineCall: &call)
                            }
                        }
                    }
                }
            }
            return output
        }

        /// The values that were reported for a target.
        func moved(_ target: MasterTarget) -> [Float] {
            reports.compactMap {
                guard case .boundValueChanged(BoundChange.master, target.rawValue, let value) = $0
                else { return nil }
                return value
            }
        }
    }

    @Test("the gain moves from the exact frame of the message, in calls of any length")
    func gain() throws {
        // The first call sends feedback; after 0.1 s no message counts as its echo any more.
        let start = 4_864
        let messages = [(17, 64), (17, 63), (700, 0), (3_000, 127)].map { frame, value in
            (frame: start + frame, bytes: [0xB0, 7, UInt8(value)])
        }
        let lengths = [64, 1, 333, 6_000]
        let outputs = try lengths.map { calls in
            let hand = try Hand([Self.move(.gain, -12, 0)])
            _ = hand.render(start)
            return hand.render(6_000, calls: calls, messages)
        }
        for (calls, output) in zip(lengths, outputs) {
            #expect(output == outputs[0], "in calls of \(calls) frames")
        }
        let out = outputs[0]
        #expect(out[..<17].allSatisfy { $0 == 1 })
        #expect(out[17] < 1 && out[17] > 0.99)
        // 20 ms later the gain is at rest.
        #expect(abs(out[2_999] - 0.251_189) < 1e-5)
        #expect(out[3_000] > out[2_999])
        #expect(out[5_999] == 1)
        #expect(largestStep(out) < 0.003)
    }

    @Test("a message right after feedback with the same position counts as its echo")
    func echo() throws {
        let hand = try Hand([Self.move(.gain, -12, 0)])
        _ = hand.render(64)
        #expect(hand.feedback.sent.map(\.bytes) == [[0xB0, 7, 127]])
        let out = hand.render(
            9_536, [(100, [0xB0, 7, 0]), (2_000, [0xB0, 7, 127]), (8_000, [0xB0, 7, 127])])
        #expect(out[7_000] < 0.26 && out[9_535] == 1)
    }

    @Test("the session's own changes and those of controls continue each other")
    func both() throws {
        let hand = try Hand([
            Self.move(.gain, -12, 0, takeover: .pickup),
            Self.move(.gain, -12, 0, .controller(8), mode: .relative),
        ])
        _ = hand.playing.engine.send(.masterGain(decibels: -6))
        _ = hand.render(64)
        // Not picked up yet.
        _ = hand.render(64, [(70, [0xB0, 7, 10])])
        #expect(hand.moved(.gain).isEmpty)
        _ = hand.render(640, [(130, [0xB0, 7, 127]), (140, [0xB0, 8, 127])])
        #expect(hand.moved(.gain).count == 2)
        #expect(hand.moved(.gain).first == 0)
        #expect(abs((hand.moved(.gain).last ?? 0) + 12.0 / 127) < 1e-5)
    }

    @Test("a switch mutes at its frame, and a pressure and the pitch bend wheel move the gain")
    func others() throws {
        let hand = try Hand([
            Self.move(.mute, 0, 1, .note(36), mode: .momentary),
            Self.move(.gain, -12, 0, .channelPressure), Self.move(.gain, -24, 0, .bend),
        ])
        let out = hand.render(4_800, [(100, [0x90, 36, 1]), (2_400, [0x80, 36, 0])])
        #expect(out[99] == 1 && out[100] < 1 && out[2_399] == 0)
        #expect(out[2_400] > 0 && out[4_799] == 1)
        #expect(hand.moved(.mute) == [1, 0])
        _ = hand.render(64, [(4_800, [0xD0, 0]), (4_801, [0xE0, 0, 64])])
        // The wheel at rest is in the middle of its range, where the gain is already.
        #expect(hand.moved(.gain) == [-12])
        _ = hand.render(64, [(4_870, [0xE0, 0x7F, 0x7F])])
        #expect(hand.moved(.gain) == [-12, 0])
    }

    @Test("a control sets the tempo within a call, except while a MIDI clock does")
    func tempo() throws {
        let hand = try Hand([Self.move(.tempo, 60, 187)], hasClock: true)
        _ = hand.render(64, [(3, [0xB0, 7, 40])])
        #expect(hand.moved(.tempo) == [100])
        _ = hand.playing.engine.send(.tempo(beatsPerMinute: 90))
        _ = hand.render(64)
        // The control sets the tempo that the session has already.
        _ = hand.render(64, [(130, [0xB0, 7, 30])])
        #expect(hand.moved(.tempo) == [100])
        // 120 beats per minute: a tick every 1000 frames.
        let ticks = (1...30).map { (frame: $0 * 1_000, bytes: [UInt8(0xF8)]) }
        _ = hand.render(30_000, ticks + [(30_100, [0xB0, 7, 127])])
        #expect(hand.moved(.tempo) == [100])
        // A second without ticks ends the clock.
        _ = hand.render(48_000)
        _ = hand.render(64, [(78_200, [0xB0, 7, 126])])
        #expect(hand.moved(.tempo) == [100, 186])
    }

    @Test("controls receive the values that the session sets")
    func feedback() throws {
        let hand = try Hand([
            Self.move(.gain, -127, 0), Self.move(.tempo, 20, 147, .controller(8)),
            Self.move(.mute, 0, 1, .note(36), mode: .toggle),
        ])
        _ = hand.render(64)
        #expect(
            hand.feedback.sent.map(\.bytes) == [[0xB0, 7, 127], [0xB0, 8, 100], [0x90, 36, 0]])
        _ = hand.playing.engine.send(.masterGain(decibels: -27))
        _ = hand.playing.engine.send(.mute(true))
        _ = hand.playing.engine.send(.tempo(beatsPerMinute: 60))
        _ = hand.render(64)
        #expect(
            hand.feedback.sent.dropFirst(3).map(\.bytes)
                == [[0xB0, 7, 100], [0xB0, 8, 40], [0x90, 36, 127]])
    }

    private func largestStep(_ sound: [Float]) -> Float {
        zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 0
    }
}
