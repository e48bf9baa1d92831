import Engine
import Pipelines
import Testing

@Suite("Binding triggers")
struct BindingTriggerTests {
    @Test("a binding filters by channel and port, or else accepts any")
    func filters() {
        let bench = BindingBench([
            move(.controller(1), BindingBench.gain, channel: 16),
            move(.controller(1), BindingBench.mix, port: 2),
            move(.controller(1), BindingBench.frequency),
        ])
        bench.play([Message(frame: 0, port: 0, bytes: [0xBF, 1, 64])], 64)
        #expect(bench.changes.map(\.binding) == [0, 2])
        bench.play([Message(frame: 64, port: 1, bytes: [0xB0, 1, 100])], 64)
        #expect(bench.changes.map(\.binding) == [0, 2, 1, 2])
    }

    @Test("programs, presses and notes switch scenes and songs and perform commands")
    func actions() {
        let bench = BindingBench(
            [
                bind(.program(2), .scene(1)), bind(.note(10), .perform(.tapTempo)),
                bind(.controller(80), .perform(.nextSong)), bind(.controller(81), .song(3)),
            ], scenes: [.init("a", BindingBench.gain, 0.1), .init("b", BindingBench.gain, 0.9)])
        bench.send([0xC4, 2])
        #expect(bench.value(BindingBench.gain) == 0.9)
        bench.send([0x90, 10, 1])
        bench.send([0x80, 10, 1])
        bench.controller(80, 127)
        bench.controller(80, 0)
        bench.controller(80, 127)
        bench.controller(81, 64)
        let scene = BoundChange.scene
        let command = BoundChange.command
        #expect(
            bench.changes.map(\.node) == [scene, command, command, command, BoundChange.song])
        #expect(bench.changes.map(\.target) == [1, 4, 2, 2, 3])
        let change = BoundChange(frame: 0, node: command, target: 4, value: 0, binding: 0)
        #expect(change.performed == .tapTempo && change.performs(.tapTempo))
    }

    @Test("a message that arrives at two inputs in one frame counts once")
    func copies() {
        let bench = BindingBench([
            bind(.controller(80), .perform(.nextScene)),
            move(.controller(1), BindingBench.mix, mode: .relative),
            move(.controller(81), BindingBench.gain, port: 2),
        ])
        func both(_ bytes: [UInt8], at frame: Int) -> [Message] {
            (0..<2).map { Message(frame: frame, port: $0, bytes: bytes) }
        }
        bench.play(both([0xB0, 80, 127], at: 3), 64)
        #expect(bench.changes.map(\.binding) == [0])
        // A switch without a release message repeats its value, and each input has its own memory.
        bench.play(both([0xB0, 80, 127], at: 64), 64)
        #expect(bench.changes.map(\.binding) == [0, 0])
        // Two steps of an encoder in the same frame are two steps, not copies.
        let steps = both([0xB0, 1, 127], at: 130)
        bench.play((steps + steps).sorted { $0.port < $1.port }, 64)
        #expect(bench.changes.map(\.binding) == [0, 0, 1, 1])
        // A binding of one input acts on the copy at that input.
        bench.play(both([0xB0, 81, 50], at: 192), 64)
        #expect(bench.changes.map(\.binding) == [0, 0, 1, 1, 2])
        // The same content in another frame is another message.
        bench.play(
            [
                Message(frame: 256, port: 0, bytes: [0xB0, 1, 127]),
                Message(frame: 257, port: 1, bytes: [0xB0, 1, 127]),
            ], 64)
        #expect(bench.changes.map(\.binding) == [0, 0, 1, 1, 2, 1, 1])
    }

    @Test("every command has a unique index")
    func commands() {
        for (index, command) in Pipeline.Binding.Command.allCases.enumerated() {
            let change = BoundChange(
                frame: 0, node: BoundChange.command, target: Int32(index), value: 0, binding: 0)
            #expect(change.performs(command) && change.performed == command)
        }
    }

    @Test("a switch that only sends 127 acts at each press, a pedal once")
    func repeatedPresses() {
        let bench = BindingBench([bind(.controller(80), .perform(.nextScene))])
        for value: UInt8 in [127, 127, 127] { bench.controller(80, value) }
        #expect(bench.changes.count == 3)
        for value: UInt8 in [126, 100, 70, 64, 90] { bench.controller(80, value) }
        #expect(bench.changes.count == 3)
    }

    @Test("a program may require its bank, selected on the same channel")
    func banks() {
        let bench = BindingBench([
            bind(.program(5), .perform(.panic), bank: 128 + 3),
            bind(.program(5), .perform(.mute), bank: 0), bind(.program(5), .perform(.tapTempo)),
        ])
        bench.send([0xC0, 5])
        #expect(bench.changes.map(\.binding) == [1, 2], "no bank selected is bank 0")
        bench.controller(0, 1)
        bench.controller(32, 3)
        bench.send([0xC1, 5])
        #expect(bench.changes.map(\.binding) == [1, 2, 1, 2], "the bank of another channel")
        bench.send([0xC0, 5])
        #expect(bench.changes.map(\.binding) == [1, 2, 1, 2, 0, 2])
    }

    @Test(
        "a message that is incomplete or of the wrong kind does nothing",
        arguments: [
            [], [0xB0], [0xB0, 1], [0xB0, 1, 64, 0], [1, 64], [64, 1, 64], [0xB0, 0x80, 1],
            [0xB0, 1, 0x80], [0xC0, 1, 1], [0xF0, 1, 0xF7], [0xF8], [0xE0, 1, 64], [0xD0, 1],
        ] as [[UInt8]])
    func garbage(bytes: [UInt8]) {
        let bench = BindingBench([
            move(.controller(1), BindingBench.gain), bind(.program(1), .perform(.panic)),
        ])
        bench.send(bytes)
        #expect(bench.changes.isEmpty)
    }
}
