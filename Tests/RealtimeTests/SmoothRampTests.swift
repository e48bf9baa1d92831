import Realtime
import Testing

@Suite("Smooth ramp")
struct SmoothRampTests {
    @Test("a glide from rest is the same as a move")
    func fromRest() {
        var (one, two) = (SmoothRamp(0.25), SmoothRamp(0.25))
        one.move(to: 1, frames: 960)
        two.glide(to: 1, frames: 960)
        for _ in 0..<970 { #expect(one.next() == two.next()) }
    }

    @Test("many short glides become one even move, which ends exactly at the last target")
    func even() {
        var ramp = SmoothRamp(0)
        var values: [Float] = [0]
        for step in 1...75 {
            ramp.glide(to: Float(step) / 75, frames: 960)
            for _ in 0..<64 { values.append(ramp.next()) }
        }
        // The ramp follows the targets with a short delay.
        #expect(values[2400] > 0.3)
        for _ in 0..<960 { values.append(ramp.next()) }
        let steps = zip(values, values.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 > -1e-6 && $0 < 2.0 / 4800 })
        #expect(values.last == 1)
        #expect(ramp.isResting)
    }

    @Test("a glide back does not pass its target")
    func back() {
        var ramp = SmoothRamp(0)
        ramp.glide(to: 1, frames: 100)
        for _ in 0..<50 { _ = ramp.next() }
        ramp.glide(to: 0.6, frames: 100)
        let values = (0..<100).map { _ in ramp.next() }
        #expect(values.allSatisfy { $0 <= 0.6 + 1e-6 })
        #expect(values.last == 0.6)
    }
}
