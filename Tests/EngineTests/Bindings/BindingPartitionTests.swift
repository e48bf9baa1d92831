import Engine
import Pipelines
import Processing
import Testing

@Suite("Bindings for any block size and any input")
struct BindingPartitionTests {
    /// Returns bindings of every kind, many of them for the same controllers and values.
    private static func bench() -> BindingBench {
        let modes = Pipeline.Binding.Mode.allCases
        var moves: [Pipeline.Binding] = []
        for number in 0..<40 {
            let target = Int32(number % 7) - 2
            let mode = modes[number % 4]
            moves.append(
                move(
                    .controller(number), target, mode: mode,
                    takeover: number % 3 == 0 ? .pickup : .jump,
                    channel: number % 5 == 0 ? 2 : nil, port: number % 11 == 0 ? 2 : nil,
                    isFine: number < 32 && mode != .relative && number % 2 == 0))
            if mode != .relative { moves.append(move(.note(number), target, mode: mode)) }
            moves.append(bind(.program(number), .scene(number % 2), bank: number % 3))
        }
        return BindingBench(
            moves,
            scenes: [
                .init("a", BindingBench.gain, 0.3), .init("b", BindingBench.frequency, 440),
            ])
    }

    /// Returns meaningful messages in the order of their frames; the same for the same seed.
    private static func messages(_ seed: Int, count: Int, frames: Int) -> [Message] {
        var random = Seeded(seed)
        return (0..<count).map { _ in
            let kind: [UInt8] = [0x80, 0x90, 0xB0, 0xB0, 0xB0, 0xC0]
            let status = kind[Int.random(in: 0..<6, using: &random)]
            let channel = UInt8.random(in: 0...1, using: &random)
            let number = UInt8.random(in: 0...41, using: &random)
            let value = UInt8.random(in: 0...127, using: &random)
            return Message(
                frame: Int.random(in: 0..<frames, using: &random),
                port: Int.random(in: 0...1, using: &random),
                bytes: [status | channel, number] + (status == 0xC0 ? [] : [value]))
        }.sorted { ($0.frame, $0.port) < ($1.frame, $1.port) }
    }

    @Test("the same changes occur at the same frames for every partition", arguments: 1...6)
    func partition(seed: Int) {
        let frames = 6000
        let messages = Self.messages(seed, count: 1500, frames: frames)
        let cuts = [[64], [1], [6000], [31, 1, 257, 8], [1024, 3]]
        let found = cuts.map { blocks -> [BindingBench.Change] in
            let bench = Self.bench()
            // Feedback depends on the calls, so it is disabled for the comparison.
            bench.feedback.room = 0
            bench.play(messages, frames, blocks: blocks)
            return bench.changes
        }
        #expect(found[0].count > 400)
        for other in found.dropFirst() { #expect(other == found[0]) }
    }

    @Test("random bytes never lead to a value out of range or to a choice that does not exist")
    func fuzz() {
        var random = Seeded(7)
        let bench = Self.bench()
        for _ in 0..<400 {
            let messages = (0..<200).map { _ -> Message in
                let length = Int.random(in: 0...5, using: &random)
                var bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
                if length > 0, Bool.random(using: &random) {
                    bytes[0] = 0x80 + bytes[0] % 0x60
                    for index in 1..<max(1, length) { bytes[index] &= 0x3F }
                }
                return Message(
                    frame: bench.frame + Int.random(in: 0..<64, using: &random),
                    port: Int.random(in: 0...1, using: &random), bytes: bytes)
            }
            bench.play(messages, 64)
            Self.expectLegal(bench)
        }
        #expect(bench.changes.count > 500)
    }

    private static func expectLegal(_ bench: BindingBench) {
        for (index, parameter) in BindingBench.parameters.enumerated() {
            #expect(parameter.range.contains(bench.value(Int32(index))))
        }
        for target in [BindingBench.mute, BindingBench.shape, BindingBench.order, -2] {
            #expect(bench.value(target).rounded() == bench.value(target))
        }
        #expect((0...1).contains(bench.value(BindingBench.mix)))
    }

    @Test("a value that is not a number or is out of range is moved back into the range")
    func hostileValues() {
        for value: Float in [.nan, .infinity, -.infinity, -1e30, 1e30] {
            let bench = Self.bench()
            for target: Int32 in -2...4 { bench.set(target, value) }
            bench.play(Self.messages(3, count: 3000, frames: 6400), 6400)
            for change in bench.changes where change.node == 0 && change.target >= 0 {
                let range = BindingBench.parameters[Int(change.target)].range
                #expect(range.contains(change.value))
            }
        }
    }

    @Test("excess changes are dropped without further harm")
    func overflow() {
        let bench = BindingBench([move(.note(1), BindingBench.mute, mode: .toggle)])
        bench.play(
            (0..<5000).map { _ in Message(frame: 0, port: 0, bytes: [0x90, 1, 1]) }, 64)
        #expect(bench.changes.count == 4096)
        bench.send([0x90, 1, 1])
        #expect(bench.changes.count == 4097)
    }
}
