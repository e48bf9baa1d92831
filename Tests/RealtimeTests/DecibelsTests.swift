import Realtime
import Testing

@Suite("Decibels")
struct DecibelsTests {
    @Test("are exactly 1 at 0 dB and exactly silence at -120 dB and below")
    func ends() {
        #expect(Decibels(0).amplitude == 1)
        #expect(Decibels(-120).amplitude == 0)
        #expect(Decibels(-200).amplitude == 0)
        #expect(Decibels(-119.9).amplitude > 0)
    }

    @Test("are ten times the amplitude every 20 dB", arguments: [-100.0, -60, -20, 20, 40])
    func decades(_ decibels: Double) {
        var amplitude = 1.0
        for _ in 0..<Int(abs(decibels) / 20) { amplitude *= decibels < 0 ? 0.1 : 10 }
        #expect(abs(Decibels(decibels).amplitude / amplitude - 1) < 1e-13)
    }

    @Test("can be recovered from the amplitude", arguments: [-119, -60.5, -6, -0.1, 0, 3, 24])
    func roundTrip(_ decibels: Double) {
        let amplitude = Decibels(decibels).amplitude
        #expect(abs(Decibels(amplitude: amplitude).value - decibels) < 1e-10)
    }

    @Test("are minus infinity for an amplitude of 0")
    func nothing() {
        #expect(Decibels(amplitude: 0).value == -.infinity)
    }
}
