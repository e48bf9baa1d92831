import Engine
import Pipelines
import Testing

@Suite("Learning")
struct LearnTests {
    private let bench = BindingBench([])

    private func receive(_ messages: [[UInt8]]) -> LearnedControl? {
        for message in messages { bench.send(message) }
        return bench.learned
    }

    private func control(
        _ kind: LearnedControl.Kind, _ number: Int32, channel: Int32 = 1, isFine: Bool = false,
        bank: Int32 = -1
    ) -> LearnedControl {
        LearnedControl(
            kind: kind, number: number, channel: channel, port: 0, isFine: isFine, bank: bank)
    }

    @Test("a controller is learned after eight steps, but not if it jitters")
    func controller() {
        bench.listen()
        #expect(receive([[0xB2, 7, 60], [0xB2, 7, 67], [0xB2, 7, 53], [0xB0, 1, 10]]) == nil)
        #expect(receive([[0xB2, 7, 68]]) == control(.controller, 7, channel: 3))
    }

    @Test("a controller's position before learning starts counts")
    func before() {
        _ = receive([[0xB0, 7, 0]])
        bench.listen()
        #expect(receive([[0xB0, 7, 127]]) == control(.controller, 7))
    }

    @Test("nothing is learned while learning is off, and only one control at a time")
    func notListening() {
        #expect(receive([[0xB0, 7, 0], [0xB0, 7, 127], [0x90, 1, 1]]) == nil)
        bench.listen()
        #expect(receive([[0x90, 1, 1], [0x90, 2, 1]]) == control(.note, 1))
    }

    @Test("a note is learned when it starts, a program with its selected bank")
    func noteAndProgram() {
        bench.listen()
        #expect(receive([[0x80, 60, 64], [0x90, 61, 0]]) == nil)
        #expect(receive([[0x95, 60, 1]]) == control(.note, 60, channel: 6))
        bench.listen()
        #expect(receive([[0xC0, 4]]) == control(.program, 4))
        bench.listen()
        #expect(
            receive([[0xB0, 0, 100], [0xB0, 32, 9], [0xC0, 4]])
                == control(.program, 4, bank: 100 * 128 + 9))
    }

    @Test("a learned control includes the name of its input if there are several")
    func triggers() {
        let learned = LearnedControl(
            kind: .program, number: 4, channel: 16, port: 1, isFine: false, bank: 130)
        let two = EnginePorts(BindingBench.pipeline([], [])) ?? EnginePorts()
        let named = LearnedTrigger(trigger: .program(4), channel: 16, port: "feet", bank: 130)
        #expect(learned.trigger(two) == named)
        var pipeline = BindingBench.pipeline([], [])
        pipeline.inputs.removeLast()
        let nameless = LearnedTrigger(
            trigger: .controller(2), channel: 1, port: nil, isFine: true)
        #expect(
            control(.controller, 2, isFine: true).trigger(EnginePorts(pipeline) ?? two) == nameless)
    }

    @Test("two halves of a controller are one 14-bit controller", arguments: [true, false])
    func fine(lowerFirst: Bool) {
        bench.listen()
        let pairs = stride(from: 0, to: 400, by: 11).flatMap { position -> [[UInt8]] in
            let pair = [
                [0xB0, 5, UInt8(position >> 7)], [0xB0, 37, UInt8(position & 127)],
            ]
            return lowerFirst ? pair.reversed() : pair
        }
        #expect(receive(pairs) == control(.controller, 5, isFine: true))
    }
}
