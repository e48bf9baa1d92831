public import Realtime

/// The coefficients of a second-order section: a topology-preserving state-variable filter and the
/// mix of its three outputs.
///
/// The trapezoidal integrators are stable for every positive frequency and damping, even while both
/// change.
public struct SectionCoefficients: BitwiseCopyable, Sendable {
    @usableFromInline let a1, a2, a3: Double
    @usableFromInline let input, band, low: Double

    /// Creates a section from the warped frequency `g` = tan(π f / rate) and the damping 1/Q.
    ///
    /// - Parameters:
    ///   - g: The warped frequency, above 0.
    ///   - damping: 1/Q, above 0.
    ///   - input: The share of the section's input in its output.
    ///   - band: The share of the band-pass, s / (s² + s·damping + 1).
    ///   - low: The share of the low-pass, 1 / (s² + s·damping + 1).
    @_noLocks @inlinable @inline(__always)
    public init(g: Double, damping: Double, input: Double, band: Double, low: Double) {
        a1 = 1 / (1 + g * (g + damping))
        a2 = g * a1
        a3 = g * a2
        self.input = input
        self.band = band
        self.low = low
    }
}

/// The state of one section for two channels.
public struct SectionState: BitwiseCopyable, Sendable {
    @usableFromInline var first = SIMD2<Double>.zero
    @usableFromInline var second = SIMD2<Double>.zero

    /// Creates a section at rest.
    @_noLocks @inlinable @inline(__always)
    public init() {}

    /// The number of words of `note`.
    public static var noteWords: Int { 4 }

    /// Writes the state.
    @_noLocks
    public func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(first.x)
        notes.pointee.put(first.y)
        notes.pointee.put(second.x)
        notes.pointee.put(second.y)
    }

    /// Continues from a noted state.
    @_noLocks
    public mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        let left = (notes.pointee.popNumber(within: 1e6), notes.pointee.popNumber(within: 1e6))
        let right = (notes.pointee.popNumber(within: 1e6), notes.pointee.popNumber(within: 1e6))
        (first, second) = (SIMD2(left.0, left.1), SIMD2(right.0, right.1))
    }

    /// Filters the next frame of two channels, and returns the output.
    @_noLocks @inlinable @inline(__always)
    public mutating func next(_ x: SIMD2<Double>, _ coefficients: SectionCoefficients)
        -> SIMD2<Double>
    {
        let v3 = x - second
        let band = coefficients.a1 * first + coefficients.a2 * v3
        let low = second + coefficients.a2 * first + coefficients.a3 * v3
        first = band + band - first
        second = low + low - second
        return coefficients.input * x + (coefficients.band * band + coefficients.low * low)
    }
}
