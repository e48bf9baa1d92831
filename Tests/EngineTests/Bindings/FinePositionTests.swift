import Engine
import Pipelines
import Testing

@Suite("Controllers of 14 bits")
struct FinePositionTests {
    private let bench = BindingBench([
        move(.controller(1), BindingBench.gain, isFine: true),
        move(.controller(33), BindingBench.mix),
    ])

    /// Returns the positions of the value while a fader moves, each sent as its two halves.
    private func positions(_ wanted: [Int], lowerFirst: Bool, leavesOut: Bool = false) -> [Float] {
        var last = -1
        let start = bench.changes.count
        for position in wanted {
            let upper = [0xB0, 1, UInt8(position >> 7)]
            let lower = [0xB0, 33, UInt8(position & 127)]
            let isSame = leavesOut && last >= 0 && last >> 7 == position >> 7
            let pair = isSame ? [lower] : lowerFirst ? [lower, upper] : [upper, lower]
            for message in pair { bench.send(message) }
            last = position
        }
        return bench.changes[start...].filter { $0.binding == 0 }.map { $0.value * 16383 }
    }

    @Test("both halves together are the position, up to both ends")
    func ends() {
        let found = positions([16383, 5000, 0], lowerFirst: false)
        #expect(found.last == 0)
        #expect(bench.changes.contains { $0.binding == 0 && $0.value == 1 })
        #expect(found.contains { abs($0 - 5000) < 0.01 })
    }

    @Test(
        "a fader that moves in one direction never jumps back between two halves",
        arguments: [true, false], [true, false])
    func monotone(lowerFirst: Bool, leavesOut: Bool) {
        let up = stride(from: 8000, through: 9000, by: 17).map { $0 }
        let found = positions(up, lowerFirst: lowerFirst, leavesOut: leavesOut)
        #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
        #expect(abs((found.last ?? 0) - 8986) < 0.01)
        let down = positions(up.reversed(), lowerFirst: lowerFirst, leavesOut: leavesOut)
        #expect(zip(down, down.dropFirst()).allSatisfy { $0 > $1 })
        #expect(abs((down.last ?? 0) - 8000) < 0.01)
    }

    @Test("a fader that sends only its upper half covers the whole range in 127 steps")
    func upperAlone() {
        let found = [0, 127, 64].map { position -> Float in
            bench.controller(1, UInt8(position))
            return bench.value(BindingBench.gain)
        }
        #expect(found[0] == 0 && found[1] == 1 && abs(found[2] - 64 / 127) < 1e-4)
    }

    @Test("the lower half remains an independent controller")
    func lowerAlone() {
        bench.controller(33, 127)
        #expect(bench.value(BindingBench.mix) == 1 && bench.value(BindingBench.gain) == 0)
    }
}
