import CRealtime
import Testing

@Suite("Finite samples")
struct FiniteTests {
    @Test(
        "a NaN or an infinity is found at every position",
        arguments: [Float.nan, -.nan, .infinity, -.infinity, .signalingNaN])
    func found(value: Float) {
        for count in 1...40 {
            for index in 0..<count {
                var samples = [Float](repeating: -.greatestFiniteMagnitude, count: count)
                samples[index] = value
                #expect(!rt_is_finite(samples, Int64(count)))
            }
        }
    }

    @Test("numbers are finite, however large or small", arguments: 0...40)
    func finite(count: Int) {
        let values: [Float] = [
            .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0, -0, .leastNonzeroMagnitude, -1,
        ]
        let samples = (0..<count).map { values[$0 % values.count] }
        #expect(rt_is_finite(samples, Int64(count)))
    }
}
