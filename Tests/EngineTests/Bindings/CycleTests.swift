import Engine
import Pipelines
import Testing

@Suite("Lists of values, cues and computer keys")
struct CycleTests {
    private static func cycle(
        _ values: [Float], _ target: Int32 = BindingBench.gain, wraps: Bool = true
    ) -> Pipeline.Binding {
        bind(.note(60), .cycle(.node(BindingBench.address(target)), values: values)).with(
            wraps: wraps)
    }

    /// Presses a note a number of times, and returns the value after each press.
    private static func values(
        _ bench: BindingBench, _ count: Int, _ target: Int32 = BindingBench.gain
    ) -> [Float] {
        (0..<count).map { _ in
            bench.send([0x90, 60, 100])
            bench.send([0x80, 60, 0])
            return bench.value(target)
        }
    }

    @Test("presses select the values in turn, and begin again")
    func wraps() {
        let bench = BindingBench([Self.cycle([0, 0.5, 1])])
        #expect(Self.values(bench, 5) == [0.5, 1, 0, 0.5, 1])
    }

    @Test("without wrap the last value remains")
    func ends() {
        let bench = BindingBench([Self.cycle([0, 0.5, 1], wraps: false)])
        #expect(Self.values(bench, 4) == [0.5, 1, 1, 1])
    }

    @Test("a value that is not in the list leads to the first entry")
    func elsewhere() {
        let bench = BindingBench([Self.cycle([0.25, 0.75])])
        #expect(Self.values(bench, 2) == [0.25, 0.75])
        bench.set(BindingBench.gain, 0.3)
        #expect(Self.values(bench, 1) == [0.25])
    }

    @Test("a list may contain a value twice, even across songs")
    func repeated() {
        let bench = BindingBench([Self.cycle([0, 0.5, 1, 0.5])])
        #expect(Self.values(bench, 3) == [0.5, 1, 0.5])
        bench.beginSong()
        #expect(Self.values(bench, 2) == [0, 0.5])
    }

    @Test("several presses in one call each start from the result of the one before")
    func sameCall() {
        let bench = BindingBench([Self.cycle([0, 0.5, 1])])
        bench.play(
            [3, 4, 4].map { Message(frame: $0, port: 0, bytes: [0x90, 60, 1]) }, 64)
        #expect(bench.changes.map(\.value) == [0.5, 1, 0])
        #expect(bench.changes.map(\.frame) == [3, 4, 4])
    }

    @Test("a step that depends on the session is passed on with its binding")
    func steps() {
        let bench = BindingBench([
            bind(.note(1), .perform(.panic)), bind(.note(60), .cycleScenes([0, 1])),
            bind(.note(61), .perform(.nextSong)).with(wraps: true),
        ])
        bench.send([0x90, 61, 1])
        bench.send([0x90, 60, 1])
        #expect(bench.changes.map(\.node) == [BoundChange.step, BoundChange.step])
        #expect(bench.changes.map(\.target) == [2, 1])
    }

    @Test("a cue selects its item and starts it at the same frame, even if it is selected already")
    func cues() {
        let cue = Pipeline.Binding.Cue(
            node: 0, item: 3, itemParameter: Int(BindingBench.order),
            startParameter: Int(BindingBench.mute))
        let bench = BindingBench([bind(.note(51), .cue(cue))])
        bench.play(
            [5, 40].map { Message(frame: $0, port: 0, bytes: [0x90, 51, 9]) }, 64)
        #expect(bench.changes.map(\.frame) == [5, 5, 40, 40])
        let both = [BindingBench.order, BindingBench.mute]
        #expect(bench.changes.map(\.target) == both + both)
        #expect(bench.changes.map(\.value) == [3, 1, 3, 1])
    }

    @Test("computer keys act at the first frame of the next call, with any action")
    func keys() throws {
        let space = Pipeline.Binding.Trigger.key(try #require(ComputerKey("space")))
        let letter = Pipeline.Binding.Trigger.key(try #require(ComputerKey("g")))
        let bench = BindingBench([
            bind(space, .perform(.panic)), move(letter, BindingBench.mute, mode: .toggle),
            move(letter, BindingBench.gain, 0, 0.5),
        ])
        bench.play([], 100)
        bench.press(key: "space")
        bench.press(key: "g")
        bench.press(key: "g")
        bench.press(key: "x")
        bench.play([], 64)
        #expect(bench.changes.map(\.binding) == [0, 1, 2, 1])
        #expect(bench.changes.allSatisfy { $0.frame == 100 })
        #expect(bench.value(BindingBench.mute) == 0 && bench.value(BindingBench.gain) == 0.5)
        for _ in 0..<20 { bench.press(key: "space") }
        bench.play([], 64)
        #expect(bench.changes.count == 4 + 8, "a call has room for eight keys")
    }
}

@Suite("Pitch bend, pressure and tapers")
struct PositionTests {
    @Test("the pitch bend has 14 bits, and its middle is the middle of the range")
    func bend() {
        let bench = BindingBench([
            move(.bend, BindingBench.gain, 0.25, 0.75), move(.bend, BindingBench.mix, channel: 3),
        ])
        func send(_ value: Int) -> Float {
            bench.send([0xE0, UInt8(value & 127), UInt8(value >> 7)])
            return bench.value(BindingBench.gain)
        }
        #expect(send(8192) == 0.5)
        #expect(send(16383) == 0.75)
        #expect(send(0) == 0.25)
        #expect(abs(send(4096) - 0.375) < 1e-6)
        #expect(abs(send(8193) - (0.5 + 0.25 / 8191)) < 1e-6)
        #expect(bench.value(BindingBench.mix) == 1, "another channel")
    }

    @Test("channel pressure and the pressure of one key move values")
    func pressure() {
        let bench = BindingBench([
            move(.channelPressure, BindingBench.gain), move(.keyPressure(60), BindingBench.mix),
        ])
        bench.send([0xD0, 127])
        #expect(bench.value(BindingBench.gain) == 1)
        bench.send([0xA0, 60, 0])
        bench.send([0xA0, 61, 100])
        #expect(bench.value(BindingBench.mix) == 0)
        bench.send([0xD5, 0])
        #expect(bench.value(BindingBench.gain) == 0)
    }

    @Test("a pitch bend that reaches two inputs counts once")
    func copies() {
        let bench = BindingBench([move(.bend, BindingBench.gain), move(.channelPressure, -1)])
        for bytes: [UInt8] in [[0xE0, 5, 70], [0xD0, 5]] {
            bench.play(
                (0..<2).map { Message(frame: bench.frame, port: $0, bytes: bytes) }, 64)
        }
        #expect(bench.changes.count == 2)
    }

    @Test("pitch bend and pressure are learned")
    func learned() {
        let bench = BindingBench([])
        bench.listen()
        bench.send([0xE2, 0, 66])
        #expect(bench.learned == nil)
        bench.send([0xE2, 0, 72])
        #expect(bench.learned?.kind == .bend && bench.learned?.channel == 3)
        bench.listen()
        bench.send([0xD0, 20])
        #expect(bench.learned?.kind == .channelPressure)
    }

    @Test("with the audio taper, a linear value follows the fourth power of the position")
    func taper() {
        let bench = BindingBench([
            move(.controller(1), BindingBench.gain).with(taper: .audio)
        ])
        for position: UInt8 in [0, 1, 63, 64, 100, 127] {
            bench.controller(1, position)
            let share = Float(position) / 127
            #expect(abs(bench.value(BindingBench.gain) - share * share * share * share) < 1e-6)
        }
        let falling = BindingBench([
            move(.controller(1), BindingBench.gain, 1, 0.5).with(taper: .audio)
        ])
        falling.controller(1, 0)
        #expect(falling.value(BindingBench.gain) == 1)
        falling.controller(1, 127)
        #expect(falling.value(BindingBench.gain) == 0.5)
    }

    @Test("with the audio taper, a control picks up the value at its position")
    func taperPickup() {
        let bench = BindingBench([
            move(.controller(1), BindingBench.gain, takeover: .pickup).with(taper: .audio)
        ])
        bench.set(BindingBench.gain, 0.0625)
        bench.controller(1, 127)
        #expect(bench.value(BindingBench.gain) == 0.0625, "the position of the value is 64")
        bench.controller(1, 60)
        let share: Float = 60.0 / 127
        #expect(abs(bench.value(BindingBench.gain) - share * share * share * share) < 1e-6)
    }
}
