import DSP
import Glibc
import Testing

@Suite("Rotor")
struct RotorTests {
    @Test("turns by its step and keeps its magnitude over a million frames")
    func length() {
        var rotor = Rotor()
        rotor.setStep(radians: 0.3)
        for frame in 0..<1_000_000 {
            let (cosine, sine) = rotor.next()
            if frame % 99_999 == 0 {
                #expect(abs(cosine - cos(0.3 * Double(frame))) < 1e-9)
                #expect(abs(sine - sin(0.3 * Double(frame))) < 1e-9)
            }
            if frame % 32 == 31 { rotor.renormalise() }
        }
        let (cosine, sine) = rotor.next()
        #expect(abs(hypot(cosine, sine) - 1) < 1e-15)
    }

    @Test("keeps its phase when the step changes and loses it when it is rewound")
    func phase() {
        var rotor = Rotor()
        rotor.setStep(radians: 1)
        _ = rotor.next()
        rotor.setStep(radians: -0.25)
        let (cosine, sine) = rotor.next()
        #expect(abs(atan2(sine, cosine) - 1) < 1e-12)
        #expect(abs(atan2(rotor.next().sine, 1) - atan2(sin(0.75), 1)) < 1e-12)
        rotor.rewind()
        #expect(rotor.next() == (1, 0))
    }
}
