/// Turns samples into whole numbers: 16 bits with dither, 24 bits to the nearest.
public struct Quantiser {
    /// Bits of each number.
    public let bits: Int
    /// Full scale.
    private let scale: Double
    private var state: UInt64 = 0x9e37_79b9_7f4a_7c15

    /// - Parameter bits: From 2 through 32; 16 get dither.
    public init(bits: Int) {
        self.bits = bits
        scale = Double(1 << (bits - 1))
    }

    /// The number for a sample; what is beyond full scale is clipped, and what is not a number is 0.
    ///
    /// 16 bits get triangular dither of two steps, so that what is too soft for them fades into noise without distortion. It is the
    /// same for every take, so that the same sound makes the same file.
    public mutating func value(_ sample: Float) -> Int32 {
        guard sample.isFinite else { return 0 }
        let dither = bits == 16 ? nextTriangle() : 0
        let value = (Double(sample) * scale + dither).rounded(.toNearestOrEven)
        return Int32(max(-scale, min(scale - 1, value)))
    }

    /// From -1 through 1, 0 the likeliest (xorshift64*: the difference of its two halves).
    private mutating func nextTriangle() -> Double {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        let bits = state &* 2_685_821_657_736_338_717
        let halves = Int64(bits >> 32) - Int64(bits & 0xffff_ffff)
        return Double(halves) / 4_294_967_296
    }
}
