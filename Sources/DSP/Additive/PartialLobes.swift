internal import CRealtime
internal import Realtime

/// The spectrum of a sine under a short window, for any frequency between two bins.
///
/// Sines are added in the spectrum: each one is a few bins, and one inverse transform makes all of
/// them audible (Rodet and Depalle, 1992). The window is the four-term Blackman-Harris window,
/// whose side lobes are at -92 dB.
struct PartialLobes: ~Copyable {
    /// Rows of `width` values, one row for each fraction of a bin.
    private let rows: Buffer<Float>

    /// The number of bins of a lobe; the sine lies between its fifth and its sixth bin.
    static var width: Int { @_noLocks get { 12 } }
    /// The number of bins below the one at or below the sine.
    static var reach: Int { @_noLocks get { 5 } }
    /// The number of fractions per bin; values between them are interpolated.
    private static var fractions: Int { @_noLocks get { 256 } }
    /// The coefficients of the window.
    static let window = [0.35875, 0.48829, 0.14128, 0.01168]

    /// Creates the lobes for a transform of `size` frames.
    init(size: Int) {
        rows = Buffer(count: (PartialLobes.fractions + 1) * PartialLobes.width, repeating: 0)
        for row in 0...PartialLobes.fractions {
            let fraction = Double(row) / Double(PartialLobes.fractions)
            for bin in 0..<PartialLobes.width {
                let distance = Double(bin - PartialLobes.reach) - fraction
                rows[row * PartialLobes.width + bin] = Float(
                    PartialLobes.value(distance) * Double(size) / 2)
            }
        }
    }

    /// Returns the transform of the window at a distance in bins, relative to its length.
    private static func value(_ distance: Double) -> Double {
        // A lobe ends at its first zeros.
        guard abs(distance) < 4 else { return 0 }
        return window.indices.reduce(0) { sum, term in
            let pair = sinc(distance - Double(term)) + sinc(distance + Double(term))
            return sum + window[term] * pair / 2
        }
    }

    private static func sinc(_ x: Double) -> Double {
        abs(x) < 1e-9 ? 1 : rt_sin(Double.pi * x) / (Double.pi * x)
    }

    /// Adds the lobe of a sine.
    ///
    /// - Parameters:
    ///   - position: The frequency in bins.
    ///   - real: The amplitude times the cosine of the phase at the window's middle.
    ///   - imaginary: The amplitude times the sine of that phase.
    ///   - spectrum: The spectrum, with `width` more elements at both ends.
    @_noLocks @inline(__always)
    func add(_ position: Float, real: Float, imaginary: Float, to spectrum: SplitSpectrum) {
        let whole = Int(position)
        let exact = (position - Float(whole)) * Float(PartialLobes.fractions)
        let row = Int(exact)
        let share = SIMD4<Float>(repeating: exact - Float(row))
        let values = rows.start + row * PartialLobes.width
        let first = whole - PartialLobes.reach
        for bin in stride(from: 0, to: PartialLobes.width, by: 4) {
            let low = rt_load(values + bin)
            let lobe = low + (rt_load(values + PartialLobes.width + bin) - low) * share
            let (x, y) = (spectrum.real + first + bin, spectrum.imaginary + first + bin)
            rt_store(x, rt_load(x) + lobe * real)
            rt_store(y, rt_load(y) + lobe * imaginary)
        }
    }
}
