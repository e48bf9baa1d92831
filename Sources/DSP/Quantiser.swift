/// Converts samples to integers: 16 bits with dither, all others rounded to the nearest.
public struct Quantiser {
    /// The number of bits per integer.
    public let bits: Int
    /// The integer of full scale.
    private let scale: Double
    private var state: UInt64 = 0x9e37_79b9_7f4a_7c15

    /// Creates a quantiser.
    ///
    /// - Parameter bits: The number of bits, from 2 to 32; only 16 bits get dither.
    public init(bits: Int) {
        self.bits = bits
        scale = Double(1 << (bits - 1))
    }

    /// Returns the integer of a sample; beyond full scale it is clipped, and a sample that is not
    /// finite becomes 0.
    ///
    /// 16 bits get triangular dither two steps wide, so that signals too soft for 16 bits fade into
    /// noise without distortion. The dither is the same for every file, so that the same sound
    /// produces the same file.
    public mutating func value(_ sample: Float) -> Int32 {
        guard sample.isFinite else { return 0 }
        let dither = bits == 16 ? nextTriangle() : 0
        let value = (Double(sample) * scale + dither).rounded(.toNearestOrEven)
        return Int32(max(-scale, min(scale - 1, value)))
    }

    /// Returns a random number from -1 to 1 with a triangular distribution (xorshift64*: the
    /// difference of its two halves).
    private mutating func nextTriangle() -> Double {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        let bits = state &* 2_685_821_657_736_338_717
        let halves = Int64(bits >> 32) - Int64(bits & 0xffff_ffff)
        return Double(halves) / 4_294_967_296
    }
}
