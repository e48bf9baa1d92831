internal import CRealtime
internal import Realtime

/// Memory for complex numbers: their real and their imaginary parts, in separate buffers.
struct ComplexBuffer: ~Copyable {
    private let reals: Buffer<Float>
    private let imaginaries: Buffer<Float>

    /// Allocates `count` numbers, all 0.
    init(count: Int) {
        reals = Buffer(count: count, repeating: 0)
        imaginaries = Buffer(count: count, repeating: 0)
    }

    /// The real part of the first number.
    var real: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { reals.start } }

    /// The imaginary part of the first number.
    var imaginary: UnsafeMutablePointer<Float> {
        @_noLocks @inline(__always) get { imaginaries.start }
    }

    /// The numbers, for C functions.
    var array: RTComplexArray {
        @_noLocks @inline(__always) get { RTComplexArray(real: real, imaginary: imaginary) }
    }

    /// The numbers, as a spectrum.
    var spectrum: SplitSpectrum {
        @_noLocks @inline(__always) get { SplitSpectrum(real: real, imaginary: imaginary) }
    }
}
