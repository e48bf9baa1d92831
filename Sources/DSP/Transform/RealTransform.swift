internal import CRealtime
internal import Realtime

/// The Fourier transform of real numbers, and its inverse.
///
/// Two neighbours form one complex number, and the spectra of the even and the odd numbers are then
/// separated by symmetry. Equal inputs give bit-identical results on all machines of an
/// architecture, because no multiply-add is fused.
public struct RealTransform: ~Copyable {
    /// The number of real values.
    public let size: Int
    private let complex: ComplexTransform
    /// The unit root of `size` to the power of 1, 2, 3…: real parts, then imaginary parts.
    private let roots: Buffer<Float>

    /// Creates a transform with its tables and working memory; only one thread at a time may use
    /// it.
    ///
    /// - Parameter size: A power of two from 64 to 65536.
    public init(size: Int) {
        precondition(size >= 64 && size <= 65536 && size & (size - 1) == 0)
        self.size = size
        let half = size / 2
        complex = ComplexTransform(count: half)
        roots = Buffer(count: half, repeating: 0)
        for power in 1...(half / 2) {
            let root = unitRoot(of: size, power)
            roots[power - 1] = root.real
            roots[half / 2 + power - 1] = root.imaginary
        }
    }

    /// The number of frequencies, including 0 and Nyquist.
    public var bins: Int { @_noLocks get { size / 2 + 1 } }

    /// Writes the spectrum of `size` numbers, X[k] = Σ x[n] e^(-2πikn / size), for `bins`
    /// frequencies.
    ///
    /// The three buffers must not overlap.
    @_noLocks
    public func forward(
        _ input: UnsafePointer<Float>, real: UnsafeMutablePointer<Float>,
        imaginary: UnsafeMutablePointer<Float>
    ) {
        begin(input)
        transformPairs(real: real, imaginary: imaginary)
        separate(real: real, imaginary: imaginary)
    }

    /// The first of the three parts of `forward`, for callers that spread the work over time.
    @_noLocks
    public func begin(_ input: UnsafePointer<Float>) {
        complex.begin { index in
            let pairs = input + 2 &* index
            let (low, high) = (rt_load(pairs), rt_load(pairs + 4))
            return ComplexLanes(rt_evens(low, high), rt_odds(low, high))
        }
    }

    /// The second part of `forward`, after `begin`.
    @_noLocks
    public func transformPairs(
        real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>
    ) {
        complex.finish { index, numbers in numbers.store(real, imaginary, at: index) }
    }

    /// The third part of `forward`, after `transformPairs`: makes the spectrum of the real numbers
    /// from that of the pairs, in place.
    @_noLocks
    public func separate(
        real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>
    ) {
        let half = size / 2
        let (evens, odds) = (real[0], imaginary[0])
        real[0] = evens + odds
        imaginary[0] = 0
        real[half] = evens - odds
        imaginary[half] = 0
        let share = SIMD4<Float>(repeating: 0.5)
        var (low, high) = (1, half - 4)
        while low <= half / 2 {
            let below = ComplexLanes(real, imaginary, at: low)
            let above = ComplexLanes(real, imaginary, at: high).reversedConjugate
            let even = (below + above) * share
            let odd = (below - above) * share * root(low)
            even.minusI(odd).store(real, imaginary, at: low)
            even.plusI(odd).reversedConjugate.store(real, imaginary, at: high)
            low &+= 4
            high &-= 4
        }
    }

    /// Writes the `size` numbers that have a spectrum of `bins` frequencies, times `size`.
    ///
    /// The imaginary parts at 0 and Nyquist count as 0. The three buffers must not overlap.
    @_noLocks
    public func inverse(
        real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>,
        output: UnsafeMutablePointer<Float>
    ) {
        invert(real, imaginary, output, onlyEnds: false)
    }

    /// Writes the first and the last eighth of the output of `inverse`, bit-identical and in less
    /// time.
    @_noLocks
    public func inverseEnds(
        real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>,
        output: UnsafeMutablePointer<Float>
    ) {
        invert(real, imaginary, output, onlyEnds: true)
    }

    @_noLocks @inline(__always)
    private func invert(
        _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
        _ output: UnsafeMutablePointer<Float>, onlyEnds: Bool
    ) {
        pack(real, imaginary)
        let (evens, odds) = complex.spare
        // Exchanging the parts before and after turns the forward transform into the inverse one.
        complex.transform(
            onlyEnds: onlyEnds,
            load: { index in ComplexLanes(odds, evens, at: index) },
            store: { index, numbers in
                rt_store_alternating(output + 2 &* index, numbers.imaginary, numbers.real)
            })
    }

    /// Converts a real signal's spectrum to the spectrum of a complex signal whose parts are the
    /// even and the odd frames.
    @_noLocks
    private func pack(_ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>) {
        let half = size / 2
        let (evens, odds) = complex.spare
        evens[0] = real[0] + real[half]
        odds[0] = real[0] - real[half]
        var (low, high) = (1, half - 4)
        while low <= half / 2 {
            let below = ComplexLanes(real, imaginary, at: low)
            let above = ComplexLanes(real, imaginary, at: high).reversedConjugate
            let even = below + above
            let odd = (below - above).timesConjugate(of: root(low))
            even.plusI(odd).store(evens, odds, at: low)
            even.minusI(odd).reversedConjugate.store(evens, odds, at: high)
            low &+= 4
            high &-= 4
        }
    }

    @_noLocks @inline(__always)
    private func root(_ power: Int) -> ComplexLanes {
        ComplexLanes(roots.start, roots.start + size / 4, at: power - 1)
    }
}
