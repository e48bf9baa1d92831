internal import CRealtime

/// The real and the imaginary parts of a spectrum, each in a row.
public struct SplitSpectrum: BitwiseCopyable {
    // SAFETY: whoever made it says how long the places live.
    /// The real parts.
    public let real: UnsafeMutablePointer<Float>
    /// The imaginary parts.
    public let imaginary: UnsafeMutablePointer<Float>

    /// A spectrum of these parts.
    @_noLocks
    public init(real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>) {
        self.real = real
        self.imaginary = imaginary
    }

    /// A spectrum of an array's parts.
    @_noLocks
    init(_ numbers: RTComplexArray) {
        self.init(real: numbers.real, imaginary: numbers.imaginary)
    }

    /// Both parts of a bin.
    subscript(bin: Int) -> SIMD2<Float> {
        @_noLocks @inline(__always) get { SIMD2(real[bin], imaginary[bin]) }
    }
}
