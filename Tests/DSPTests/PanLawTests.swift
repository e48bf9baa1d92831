import DSP
import Testing
import TestSignals

@Suite("Pan law")
struct PanLawTests {
    @Test("has its level at the centre and is exact at the sides", arguments: [-3.0, -4.5, -6, 0])
    func places(_ centreDecibels: Double) {
        let law = PanLaw(centreDecibels: centreDecibels)
        let middle = law.amplitudes(pan: 0)
        #expect(abs(levelDecibels(middle.left) - centreDecibels) < 1e-9)
        #expect(abs(levelDecibels(middle.right) - centreDecibels) < 1e-9)
        #expect(law.amplitudes(pan: -1) == (1, 0))
        #expect(law.amplitudes(pan: 1) == (0, 1))
    }

    @Test("rises towards a side and mirrors the other", arguments: [-3.0, -4.5, -6, 0])
    func shape(_ centreDecibels: Double) {
        let law = PanLaw(centreDecibels: centreDecibels)
        for step in -10..<10 {
            let (here, next) = (
                law.amplitudes(pan: Double(step) / 10), law.amplitudes(pan: Double(step + 1) / 10)
            )
            #expect(next.right >= here.right && next.left <= here.left)
            let mirrored = law.amplitudes(pan: -Double(step) / 10)
            #expect(abs(mirrored.left - here.right) < 1e-12)
        }
    }

    @Test("leaves a centred balance unchanged")
    func balance() {
        #expect(PanLaw.balance(pan: 0) == (1, 1))
        #expect(PanLaw.balance(pan: -1) == (1, 0))
        #expect(PanLaw.balance(pan: 0.25) == (0.75, 1))
    }
}
