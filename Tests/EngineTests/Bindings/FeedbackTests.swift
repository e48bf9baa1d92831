import Engine
import Pipelines
import Testing

@Suite("Feedback to controllers")
struct FeedbackTests {
    private let bench = BindingBench(
        [
            move(.controller(1), BindingBench.gain, channel: 3),
            move(.controller(80), BindingBench.mute, mode: .toggle),
            move(.note(60), BindingBench.bypass, mode: .toggle, channel: 16),
            move(.controller(2), BindingBench.mix, isFine: true),
            move(.controller(9), BindingBench.order, mode: .relative),
            bind(.program(0), .scene(0)),
        ], scenes: [.init("half", BindingBench.gain, 0.5)])

    /// Returns the feedback of some more calls.
    private func feedback(_ calls: Int = 4) -> [[UInt8]] {
        bench.feedback.forget()
        bench.play([], 64 * calls)
        return bench.feedback.all
    }

    private static let atLoad: [[UInt8]] = [
        [0xB2, 1, 0], [0xB0, 80, 0], [0x9F, 60, 0], [0xB0, 2, 127], [0xB0, 34, 127],
    ]

    @Test("at load, each control receives the position of its value once")
    func load() {
        #expect(feedback() == Self.atLoad)
        #expect(feedback() == [])
        bench.beginSong()
        #expect(feedback() == Self.atLoad)
        bench.sendAll()
        #expect(feedback() == Self.atLoad)
    }

    @Test("a value changed elsewhere is sent, but only if its position differs")
    func changes() {
        _ = feedback()
        bench.set(BindingBench.gain, 0.5)
        bench.set(BindingBench.mute, 1)
        #expect(feedback() == [[0xB2, 1, 64], [0xB0, 80, 127]])
        bench.set(BindingBench.gain, 0.501)
        #expect(feedback() == [])
        bench.set(BindingBench.mix, 0.5)
        bench.set(BindingBench.bypass, 1)
        #expect(feedback() == [[0x9F, 60, 127], [0xB0, 2, 64], [0xB0, 34, 0]])
    }

    @Test("a control receives feedback about changes made elsewhere, and none about its own")
    func own() {
        let bench = BindingBench([
            move(.controller(1), BindingBench.gain), move(.controller(2), BindingBench.gain),
            move(.controller(80), BindingBench.mute, mode: .momentary),
        ])
        bench.play([], 64)
        bench.feedback.forget()
        bench.controller(1, 100)
        #expect(bench.feedback.all == [[0xB0, 2, 100]])
        bench.feedback.forget()
        for value: UInt8 in [127, 0, 127, 0, 127] { bench.controller(80, value) }
        #expect(bench.feedback.all == [])
        #expect(bench.value(BindingBench.mute) == 1)
    }

    @Test(
        "a toggle button receives the result of its press, and its echo does nothing")
    func light() {
        _ = feedback()
        for (press, isOn) in [true, false, true, false].enumerated() {
            bench.feedback.forget()
            bench.controller(80, 127)
            #expect(bench.feedback.all == [[0xB0, 80, isOn ? 127 : 0]])
            bench.send(bench.feedback.all[0])
            bench.controller(80, 0)
            #expect(bench.value(BindingBench.mute) == (isOn ? 1 : 0), "press \(press)")
            bench.feedback.forget()
            // A user does not press twice within a tenth of a second.
            #expect(feedback(100) == [])
        }
    }

    @Test("a toggle button with a note receives its feedback as note on or note off")
    func litNote() {
        _ = feedback()
        bench.feedback.forget()
        bench.send([0x9F, 60, 100])
        bench.send([0x8F, 60, 0])
        #expect(bench.feedback.all == [[0x9F, 60, 127]])
        _ = feedback(100)
        bench.feedback.forget()
        bench.send([0x9F, 60, 100])
        bench.send([0x8F, 60, 0])
        #expect(bench.feedback.all == [[0x9F, 60, 0]])
    }

    @Test("a motor fader that echoes its feedback moves nothing and has picked up its value")
    func echo() {
        let bench = BindingBench([move(.controller(1), BindingBench.gain, takeover: .pickup)])
        bench.play([], 64)
        bench.set(BindingBench.gain, 0.503)
        bench.play([], 64)
        bench.feedback.forget()
        bench.controller(1, 64)
        bench.controller(1, 64)
        #expect(bench.changes.isEmpty && bench.feedback.all == [])
        bench.controller(1, 90)
        #expect(bench.value(BindingBench.gain) == Float(90) / 127)
        #expect(bench.feedback.all == [])
    }

    @Test("an echo of a 14-bit fader moves nothing either, in either half")
    func fineEcho() {
        _ = feedback()
        bench.set(BindingBench.mix, 0.3333)
        for message in feedback() { bench.send(message) }
        #expect(bench.changes.isEmpty)
        #expect(feedback() == [])
    }

    @Test(
        "controllers that echo all feedback with a delay do not disturb a moving value",
        arguments: [0, 1, 5, 30])
    func lateEchoes(delay: Int) {
        let bench = BindingBench([
            move(.controller(1), BindingBench.gain),
            move(.controller(2), BindingBench.mix, takeover: .pickup, isFine: true),
            move(.controller(3), BindingBench.mute, mode: .toggle),
            move(.controller(4), BindingBench.bypass, mode: .momentary),
        ])
        for call in 0..<600 {
            if call < 400 {
                let share = Float(abs(call % 100 - 50)) / 50
                bench.set(BindingBench.gain, share)
                bench.set(BindingBench.mix, 1 - share)
                if call % 70 == 0 { bench.set(BindingBench.mute, Float(call / 70 % 2)) }
                if call % 90 == 0 { bench.set(BindingBench.bypass, Float(call / 90 % 2)) }
            }
            let heard = bench.feedback.calls.count - delay - 1
            let back = heard < 0 ? [] : bench.feedback.calls[heard]
            bench.play(back.map { Message(frame: bench.frame, port: 0, bytes: $0) }, 64)
        }
        #expect(bench.changes.isEmpty)
        #expect(bench.feedback.all.count > 800)
        #expect(bench.feedback.calls.suffix(100).allSatisfy { $0.isEmpty })
    }

    @Test("a press directly after load is a press, and its release a release")
    func earlyPress() {
        bench.play([], 64)
        let found = [127, 0, 127, 0].map { position -> Float in
            bench.controller(80, UInt8(position))
            bench.play([], 64 * 100)
            return bench.value(BindingBench.mute)
        }
        #expect(found == [1, 1, 0, 0])
    }

    @Test("echoes that arrive much too late die out")
    func endless() {
        let bench = BindingBench([
            move(.controller(1), BindingBench.gain), move(.controller(2), BindingBench.gain),
            move(.controller(3), BindingBench.gain, mode: .toggle),
        ])
        bench.set(BindingBench.gain, 0.777)
        for _ in 0..<20 {
            bench.play([], 64 * 100)
            let back = bench.feedback.all
            bench.feedback.forget()
            for message in back { bench.send(message) }
        }
        #expect(bench.feedback.all == [])
    }

    @Test("a switch's echo is not a press; the same message a little later is one")
    func switchEcho() {
        _ = feedback()
        bench.set(BindingBench.mute, 1)
        bench.set(BindingBench.bypass, 1)
        for message in feedback(1) { bench.send(message) }
        #expect(bench.changes.isEmpty)
        bench.controller(80, 127)
        #expect(bench.value(BindingBench.mute) == 0)
        bench.set(BindingBench.bypass, 0)
        bench.set(BindingBench.bypass, 1)
        bench.sendAll()
        _ = feedback(100)
        bench.send([0x9F, 60, 127])
        #expect(bench.value(BindingBench.bypass) == 0)
    }

    @Test("a scene selected by MIDI sends every position")
    func scene() {
        _ = feedback()
        bench.feedback.forget()
        bench.send([0xC0, 0])
        #expect(bench.feedback.all == [[0xB2, 1, 64]] + Self.atLoad.dropFirst())
    }

    @Test("no call sends more than 32 messages, and all are eventually sent")
    func spread() {
        let bench = BindingBench(
            (0..<32).map { move(.controller($0), BindingBench.gain, isFine: true) }
                + (64..<120).map { move(.controller($0), BindingBench.mix) })
        bench.play([], 64 * 5)
        #expect(bench.feedback.calls.map(\.count) == [32, 32, 32, 24, 0])
        #expect(Set(bench.feedback.all.map { $0[1] }).count == 120)
    }

    @Test("permanently moving values do not starve other controls of feedback")
    func turns() {
        let bench = BindingBench((0..<80).map { move(.controller($0), BindingBench.gain) })
        for call in 0..<5 {
            bench.set(BindingBench.gain, Float(call) / 5)
            bench.play([], 64)
        }
        #expect(bench.feedback.calls.map(\.count) == [32, 32, 32, 32, 32])
        #expect(Set(bench.feedback.all.map { $0[1] }).count == 80)
    }

    @Test("messages that do not fit into the output are sent later")
    func full() {
        bench.feedback.room = 1
        #expect(feedback(3) == Array(Self.atLoad.prefix(3)))
        bench.feedback.room = 8
        #expect(feedback(1) == Array(Self.atLoad.dropFirst(3)))
    }

    @Test("a value that is not a number is sent as a position, once")
    func notANumber() {
        _ = feedback()
        bench.set(BindingBench.gain, 1)
        #expect(feedback() == [[0xB2, 1, 127]])
        bench.set(BindingBench.gain, .nan)
        #expect(feedback() == [[0xB2, 1, 0]])
    }
}
