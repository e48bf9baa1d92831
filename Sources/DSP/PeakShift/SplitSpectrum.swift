internal import CRealtime

/// A spectrum with its real and its imaginary parts in separate arrays.
public struct SplitSpectrum: BitwiseCopyable {
    // SAFETY: the creator guarantees the lifetime of the buffers.
    /// The real parts.
    public let real: UnsafeMutablePointer<Float>
    /// The imaginary parts.
    public let imaginary: UnsafeMutablePointer<Float>

    /// Creates a spectrum from these parts.
    @_noLocks
    public init(real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>) {
        self.real = real
        self.imaginary = imaginary
    }

    /// Creates a spectrum from the parts of an array.
    @_noLocks
    init(_ numbers: RTComplexArray) {
        self.init(real: numbers.real, imaginary: numbers.imaginary)
    }

    /// Returns the part from a bin on.
    @_noLocks @inline(__always)
    func starting(at bin: Int) -> SplitSpectrum {
        SplitSpectrum(real: real + bin, imaginary: imaginary + bin)
    }

    /// The real and the imaginary part of a bin.
    subscript(bin: Int) -> SIMD2<Float> {
        @_noLocks @inline(__always) get { SIMD2(real[bin], imaginary[bin]) }
    }
}
