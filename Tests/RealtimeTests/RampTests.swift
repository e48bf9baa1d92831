import Realtime
import Testing

@Suite("Ramp")
struct RampTests {
    @Test("arrives exactly, in exactly its length", arguments: [1, 2, 7, 960, 100_000])
    func arrival(_ lengthFrames: Int) {
        var ramp = Ramp(0.1, lengthFrames: lengthFrames)
        ramp.move(to: 0.7)
        for _ in 1..<lengthFrames {
            #expect(ramp.next() < 0.7)
            #expect(!ramp.isResting)
        }
        #expect(ramp.next() == 0.7)
        #expect(ramp.isResting)
        #expect(ramp.next() == 0.7)
    }

    @Test("moves along a straight line")
    func line() {
        var ramp = Ramp(-1, lengthFrames: 8)
        ramp.move(to: 1)
        #expect((0..<8).map { _ in ramp.next() } == [-0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1])
    }

    @Test("restarts from its current value")
    func restart() {
        var ramp = Ramp(0, lengthFrames: 4)
        ramp.move(to: 1)
        #expect(ramp.next() == 0.25)
        #expect(ramp.next() == 0.5)
        ramp.move(to: 0)
        #expect(ramp.value == 0.5)
        #expect(ramp.target == 0)
        #expect((0..<4).map { _ in ramp.next() } == [0.375, 0.25, 0.125, 0])
    }

    @Test("rests if the new target is its current value")
    func nowhere() {
        var ramp = Ramp(0.3, lengthFrames: 100)
        ramp.move(to: 0.3)
        #expect(ramp.isResting)
    }

    @Test("jumps to its target, or to a new one, immediately")
    func snap() {
        var ramp = Ramp(0, lengthFrames: 100)
        ramp.move(to: 1)
        ramp.snap()
        #expect(ramp.isResting && ramp.value == 1)
        ramp.snap(to: -2)
        #expect(ramp.isResting && ramp.value == -2 && ramp.target == -2)
    }
}
