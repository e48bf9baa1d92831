import Engine
import Pipelines
import Testing

@Suite("Pickup")
struct PickupTests {
    private let bench = BindingBench([
        move(.controller(1), BindingBench.gain, takeover: .pickup)
    ])

    init() {
        // Otherwise feedback would count as the knob's position.
        bench.feedback.room = 0
    }

    private func turn(to position: UInt8) -> Float {
        bench.controller(1, position)
        return bench.value(BindingBench.gain)
    }

    @Test("a knob does nothing until it reaches or passes the value")
    func passing() {
        bench.set(BindingBench.gain, 0.5)
        #expect(turn(to: 10) == 0.5)
        #expect(turn(to: 60) == 0.5)
        #expect(turn(to: 70) == Float(70) / 127, "it passed 64")
        #expect(turn(to: 20) == Float(20) / 127, "it has hold of it")
    }

    @Test("a knob that reaches the value's exact position picks it up")
    func reaching() {
        bench.set(BindingBench.gain, 0.25)
        #expect(turn(to: 33) == 0.25)
        #expect(turn(to: 32) == Float(32) / 127)
    }

    @Test("a knob loses a value that is moved by other means, and picks it up again")
    func lettingGo() {
        _ = turn(to: 0)
        #expect(turn(to: 50) == Float(50) / 127)
        bench.set(BindingBench.gain, 0.9)
        #expect(turn(to: 51) == 0.9)
        #expect(turn(to: 100) == 0.9)
        #expect(turn(to: 120) == Float(120) / 127)
    }

    @Test("a value that returns is not picked up by a knob that moved without it")
    func comingBack() {
        _ = turn(to: 0)
        #expect(turn(to: 64) == Float(64) / 127)
        bench.set(BindingBench.gain, 0.9)
        #expect(turn(to: 10) == 0.9)
        bench.set(BindingBench.gain, Float(64) / 127)
        #expect(turn(to: 11) == Float(64) / 127)
        bench.set(BindingBench.gain, 0.9)
        bench.set(BindingBench.gain, Float(64) / 127)
        #expect(turn(to: 64) == Float(64) / 127)
        #expect(turn(to: 65) == Float(65) / 127)
    }

    @Test("the knob's position is remembered across a change of songs")
    func songs() {
        _ = turn(to: 100)
        bench.beginSong()
        bench.set(BindingBench.gain, 0.5)
        #expect(turn(to: 20) == Float(20) / 127)
    }

    @Test("pickup works in both directions and for reversed ranges")
    func backwards() {
        let bench = BindingBench([
            move(.controller(1), BindingBench.gain, 1, 0, takeover: .pickup)
        ])
        bench.set(BindingBench.gain, 0.75)
        bench.controller(1, 90)
        #expect(bench.value(BindingBench.gain) == 0.75)
        bench.controller(1, 20)
        #expect(abs(bench.value(BindingBench.gain) - 107 / 127) < 1e-6)
    }
}
