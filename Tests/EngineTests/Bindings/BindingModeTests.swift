import Engine
import Pipelines
import Processing
import Testing

@Suite("Binding modes")
struct BindingModeTests {
    @Test("an absolute controller reaches both ends of its range, forwards and backwards")
    func ends() {
        let bench = BindingBench([
            move(.controller(1), BindingBench.gain, 0.25, 0.75),
            move(.controller(1), BindingBench.mix, 1, 0),
        ])
        bench.controller(1, 127)
        #expect(bench.value(BindingBench.gain) == 0.75 && bench.value(BindingBench.mix) == 0)
        bench.controller(1, 0)
        #expect(bench.value(BindingBench.gain) == 0.25 && bench.value(BindingBench.mix) == 1)
        bench.controller(1, 127 / 2)
        #expect(abs(bench.value(BindingBench.gain) - (0.25 + 0.5 * 63 / 127)) < 1e-6)
    }

    @Test("a logarithmic curve has equal ratios for equal distances")
    func logarithmic() {
        let bench = BindingBench([
            move(.controller(1), BindingBench.frequency, 10, 10_000, curve: .logarithmic)
        ])
        let found = [0, 32, 64, 96].map { position -> Float in
            bench.controller(1, UInt8(position))
            return bench.value(BindingBench.frequency)
        }
        for (low, high) in zip(found, found.dropFirst()) {
            #expect(abs(high / low - 5.7005) < 0.001)
        }
    }

    @Test("choices, toggles and whole numbers are rounded to the nearest valid value")
    func legalValues() {
        let bench = BindingBench([
            move(.controller(1), BindingBench.shape), move(.controller(1), BindingBench.mute),
            move(.controller(1), BindingBench.order), move(.controller(1), BindingBench.bypass),
        ])
        for position: UInt8 in 0...127 {
            bench.controller(1, position)
            let share = Float(position) / 127
            #expect(bench.value(BindingBench.shape) == (share * 3).rounded())
            #expect(bench.value(BindingBench.mute) == share.rounded())
            #expect(bench.value(BindingBench.bypass) == share.rounded())
            #expect(bench.value(BindingBench.order) == 1 + (share * 7).rounded())
        }
    }

    @Test("a controller toggles when it rises to 64, and again only after it was below")
    func toggleController() {
        let bench = BindingBench([move(.controller(1), BindingBench.gain, 0.2, 0.9, mode: .toggle)])
        let found = [0, 63, 64, 100, 127, 127, 64, 63, 64, 0, 127].map { position -> Float in
            bench.controller(1, UInt8(position))
            return bench.value(BindingBench.gain)
        }
        #expect(found == [0, 0, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.2, 0.2, 0.9])
    }

    @Test("a note toggles when it starts; a velocity of 0 is its end")
    func toggleNote() {
        let bench = BindingBench([move(.note(60), BindingBench.mute, mode: .toggle)])
        let messages: [[UInt8]] = [
            [0x90, 60, 1], [0x80, 60, 64], [0x90, 60, 100], [0x90, 60, 0], [0x90, 61, 100],
            [0x9F, 60, 100],
        ]
        let found = messages.map { message -> Float in
            bench.send(message)
            return bench.value(BindingBench.mute)
        }
        #expect(found == [1, 1, 0, 0, 0, 1])
    }

    @Test("a momentary switch has one value while it is pressed and the other while it is released")
    func momentary() {
        let bench = BindingBench([
            move(.controller(64), BindingBench.mute, 1, 0, mode: .momentary),
            move(.note(60), BindingBench.gain, mode: .momentary),
        ])
        bench.controller(64, 0)
        #expect(bench.value(BindingBench.mute) == 1)
        bench.controller(64, 64)
        #expect(bench.value(BindingBench.mute) == 0)
        bench.set(BindingBench.mute, 1)
        bench.controller(64, 127)
        #expect(bench.value(BindingBench.mute) == 1, "still down: nothing happened")
        bench.send([0x90, 60, 10])
        #expect(bench.value(BindingBench.gain) == 1)
        bench.send([0x90, 60, 0])
        #expect(bench.value(BindingBench.gain) == 0)
    }

    @Test("a note's velocity and a program's number are positions")
    func noteAndProgram() {
        let bench = BindingBench([
            move(.note(60), BindingBench.gain), move(.program(3), BindingBench.mix, 1, 0.25),
        ])
        bench.send([0x90, 60, 127])
        #expect(bench.value(BindingBench.gain) == 1)
        bench.send([0x80, 60, 0])
        #expect(bench.value(BindingBench.gain) == 1)
        bench.send([0xC0, 3])
        #expect(bench.value(BindingBench.mix) == 0.25)
    }

    @Test(
        "an encoder's steps are 127ths of the range, and stop at its ends",
        arguments: [
            (.twosComplement, 3, 127), (.signedBit, 3, 65), (.offset, 67, 63),
        ] as [(Pipeline.Binding.Encoding, UInt8, UInt8)])
    func relative(encoding: Pipeline.Binding.Encoding, threeUp: UInt8, oneDown: UInt8) {
        let bench = BindingBench([
            move(.controller(1), BindingBench.gain, mode: .relative, encoding: encoding)
        ])
        bench.controller(1, threeUp)
        bench.controller(1, threeUp)
        bench.controller(1, oneDown)
        #expect(abs(bench.value(BindingBench.gain) - 5 / 127) < 1e-6)
        for _ in 0..<50 { bench.controller(1, threeUp) }
        #expect(bench.value(BindingBench.gain) == 1)
        bench.controller(1, oneDown)
        #expect(abs(bench.value(BindingBench.gain) - 126 / 127) < 1e-6)
    }

    @Test("an encoder steps through choices and whole numbers one by one and does not wrap around")
    func relativeSteps() {
        let bench = BindingBench([
            move(.controller(1), BindingBench.shape, mode: .relative),
            move(.controller(2), BindingBench.order, 4, 2, mode: .relative),
            move(.controller(3), BindingBench.mute, mode: .relative),
        ])
        let shapes = (0..<5).map { _ -> Float in
            bench.controller(1, 1)
            return bench.value(BindingBench.shape)
        }
        #expect(shapes == [1, 2, 3, 3, 3])
        bench.controller(1, 126)
        #expect(bench.value(BindingBench.shape) == 1)
        bench.controller(2, 127)
        #expect(bench.value(BindingBench.order) == 3, "down on a range that runs backwards")
        bench.controller(2, 120)
        #expect(bench.value(BindingBench.order) == 4)
        bench.controller(3, 1)
        bench.controller(3, 1)
        #expect(bench.value(BindingBench.mute) == 1)
    }

    @Test("each of several messages in one call starts from the result of the previous one")
    func sameCall() {
        let bench = BindingBench(
            [
                move(.note(60), BindingBench.mute, mode: .toggle),
                move(.controller(1), BindingBench.order, mode: .relative),
                bind(.program(0), .scene(0)),
            ], scenes: [.init("six", BindingBench.order, 6)])
        let bytes: [[UInt8]] = [
            [0x90, 60, 1], [0xB0, 1, 1], [0x90, 60, 1], [0xB0, 1, 1], [0x90, 60, 1], [0xC0, 0],
            [0xB0, 1, 1],
        ]
        bench.play(
            bytes.enumerated().map { Message(frame: $0.offset, port: 0, bytes: $0.element) }, 64)
        #expect(bench.changes.map(\.value) == [1, 3, 0, 4, 1, 0, 7])
        #expect(bench.changes.map(\.frame) == Array(0...6))
    }
}
