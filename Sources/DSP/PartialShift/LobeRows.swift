internal import CRealtime
internal import Realtime

/// The lobes of all partials for one hop: how each appears in the spectrum of the analysis window.
///
/// A lobe is written once per hop, and serves all channels.
struct LobeRows: ~Copyable {
    private let rows: Buffer<Float>
    private let places: Buffer<WindowLobe.Place>
    private let inverses: Buffer<Float>

    /// Allocates the rows of some partials.
    init(_ limit: Int) {
        rows = Buffer(count: 2 * WindowLobe.width * limit, repeating: 0)
        places = Buffer(count: limit, repeating: WindowLobe.Place(0))
        inverses = Buffer(count: limit, repeating: 0)
    }

    /// Writes the lobe of a partial at a frequency in bins.
    @_noLocks @inline(__always)
    func write(_ lobe: borrowing WindowLobe, at frequency: Float, to index: Int) {
        places[index] = WindowLobe.Place(frequency)
        inverses[index] = lobe.write(places[index], to: row(index))
    }

    @_noLocks @inline(__always)
    private func row(_ index: Int) -> SplitSpectrum {
        let real = rows.start + 2 * WindowLobe.width * index
        return SplitSpectrum(real: real, imaginary: real + WindowLobe.width)
    }

    /// Adds the lobe of a partial, and its image below 0 Hz, times an amount.
    @_noLocks @inline(__always)
    func add(_ amount: SIMD2<Float>, _ index: Int, to spectrum: SplitSpectrum) {
        let (row, place) = (row(index), places[index])
        let first = place.firstBin
        let (real, imaginary) = (spectrum.real + first, spectrum.imaginary + first)
        let (u, v) = (SIMD4(repeating: amount.x), SIMD4(repeating: amount.y))
        var column = place.first
        while column < place.end {
            let (a, b) = (rt_load(row.real + column), rt_load(row.imaginary + column))
            rt_store(real + column, rt_load(real + column) + (u * a - v * b))
            rt_store(imaginary + column, rt_load(imaginary + column) + (u * b + v * a))
            column &+= 4
        }
        // What lies below 0 Hz has a mirror image above.
        column = place.first
        while column <= -first {
            let (a, b) = (row.real[column], row.imaginary[column])
            spectrum.real[-first &- column] += amount.x * a - amount.y * b
            spectrum.imaginary[-first &- column] -= amount.x * b + amount.y * a
            column &+= 1
        }
    }

    /// Returns the amount of a partial that is nearest to a spectrum, in the sense of least squares.
    @_noLocks @inline(__always)
    func fit(_ index: Int, _ spectrum: SplitSpectrum) -> SIMD2<Float> {
        project(index, spectrum) * inverses[index]
    }

    /// Returns the sum of the conjugate row times the bins; those below 0 Hz mirror those above.
    @_noLocks @inline(__always)
    private func project(_ index: Int, _ spectrum: SplitSpectrum) -> SIMD2<Float> {
        let (row, place) = (row(index), places[index])
        let first = place.firstBin
        let (real, imaginary) = (spectrum.real + first, spectrum.imaginary + first)
        var bin = first + place.first
        while bin < 0 {
            spectrum.real[bin] = spectrum.real[-bin]
            spectrum.imaginary[bin] = -spectrum.imaginary[-bin]
            bin &+= 1
        }
        var (x, y) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        var column = place.first
        while column < place.end {
            let (a, b) = (rt_load(row.real + column), rt_load(row.imaginary + column))
            let (u, v) = (rt_load(real + column), rt_load(imaginary + column))
            x += a * u + b * v
            y += a * v - b * u
            column &+= 4
        }
        return SIMD2(rt_sum_of_lanes(x), rt_sum_of_lanes(y))
    }
}
