internal import CRealtime
internal import Realtime

/// The transform of the analysis window about its top, at any distance from a bin: the spectrum of
/// one steady partial.
///
/// Between the rows of the table, values are interpolated on straight lines, with an error of
/// -75 dB.
public struct WindowLobe: ~Copyable {
    /// Rows of `width` values, one row for each fraction of a bin: real parts, then imaginary parts.
    private let reals: Buffer<Float>
    private let imaginaries: Buffer<Float>
    /// The reciprocal of each row's energy.
    private let inverses: Buffer<Float>

    /// The number of bins on either side of a low partial.
    static var reach: Int { @_noLocks get { 32 } }
    /// The length of a row, padded so that loops over four lanes fit.
    static var width: Int { @_noLocks get { 68 } }
    private static var bins: Int { 2 * reach + 1 }
    /// The number of rows per bin.
    private static var fractions: Int { @_noLocks get { 64 } }

    /// Creates the lobe of a window.
    ///
    /// - Parameters:
    ///   - window: The window, rotated so that its top comes first.
    ///   - riseFrames: The frames before the top, which are the last ones of the rotated window.
    init(_ window: borrowing Buffer<Float>, riseFrames: Int) {
        let (rows, width) = (WindowLobe.fractions + 1, WindowLobe.width)
        reals = Buffer(count: rows * width, repeating: 0)
        imaginaries = Buffer(count: rows * width, repeating: 0)
        inverses = Buffer(count: rows, repeating: 0)
        for row in 0...WindowLobe.fractions / 2 {
            let opposite = WindowLobe.fractions - row
            for column in 0..<WindowLobe.bins {
                let distance =
                    Double(column - WindowLobe.reach) + Double(row) / Double(WindowLobe.fractions)
                    - 0.5
                let (x, y) = WindowLobe.value(window, riseFrames, distance)
                reals[row * width + column] = Float(x)
                imaginaries[row * width + column] = Float(y)
                // The window is real.
                let other = opposite * width + WindowLobe.bins - 1 - column
                reals[other] = Float(x)
                imaginaries[other] = Float(-y)
            }
        }
        for row in 0..<rows {
            var energy: Float = 0
            for column in row * width..<(row + 1) * width {
                energy += reals[column] * reals[column] + imaginaries[column] * imaginaries[column]
            }
            inverses[row] = 1 / energy
        }
    }

    /// Returns the transform of the window at a distance in bins.
    private static func value(
        _ window: borrowing Buffer<Float>, _ riseFrames: Int, _ distance: Double
    ) -> (Double, Double) {
        let size = window.count
        let angle = -2 * Double.pi * distance / Double(size)
        let (stepReal, stepImaginary) = (rt_cos(angle), rt_sin(angle))
        let start = -angle * Double(riseFrames)
        var (x, y) = (rt_cos(start), rt_sin(start))
        var (real, imaginary) = (0.0, 0.0)
        for frame in 0..<size {
            let place = frame < riseFrames ? size - riseFrames + frame : frame - riseFrames
            real += Double(window[place]) * x
            imaginary += Double(window[place]) * y
            (x, y) = (x * stepReal - y * stepImaginary, x * stepImaginary + y * stepReal)
        }
        return (real, imaginary)
    }

    /// The columns of a row that a partial needs: a low partial meets its mirror image below 0 Hz, so
    /// more of its lobe must be exact.
    struct Place {
        /// The row at or below the position.
        fileprivate let row: Int
        fileprivate let share: SIMD4<Float>
        /// The first column, and the end of the columns.
        let first: Int
        let end: Int
        /// The bin of the first column of the row.
        let firstBin: Int

        /// The lowest bin from which a partial needs only the middle columns.
        private static var high: Int { @_noLocks get { 30 } }
        /// The columns that a high partial leaves out on either side.
        private static var spared: Int { @_noLocks get { 16 } }

        /// Creates the place of a partial.
        ///
        /// - Parameter position: The frequency in bins, not negative.
        @_noLocks @inline(__always)
        init(_ position: Float) {
            let nearest = Int(position + 0.5)
            let exact = (Float(nearest) - position + 0.5) * Float(WindowLobe.fractions)
            row = min(max(0, Int(exact)), WindowLobe.fractions - 1)
            share = SIMD4(repeating: exact - Float(row))
            firstBin = nearest - WindowLobe.reach
            first = nearest < Place.high ? 0 : Place.spared
            end = WindowLobe.width - first
        }
    }

    /// Writes the lobe of a partial.
    ///
    /// - Parameters:
    ///   - place: The place of the partial.
    ///   - row: Room for `width` values; those that the partial does not need are left as they are.
    /// - Returns: The reciprocal of the lobe's energy.
    @_noLocks
    func write(_ place: Place, to row: SplitSpectrum) -> Float {
        let width = WindowLobe.width
        let (x, y) = (reals.start + place.row * width, imaginaries.start + place.row * width)
        var column = place.first
        while column < place.end {
            let (a, b) = (rt_load(x + column), rt_load(y + column))
            rt_store(row.real + column, a + (rt_load(x + width + column) - a) * place.share)
            rt_store(row.imaginary + column, b + (rt_load(y + width + column) - b) * place.share)
            column &+= 4
        }
        let (low, high) = (inverses[place.row], inverses[place.row + 1])
        return low + (high - low) * place.share[0]
    }

    /// Adds the lobe of a partial, times an amount, to a spectrum.
    ///
    /// - Parameters:
    ///   - position: The frequency in bins, not negative.
    ///   - amount: The real and imaginary part of the partial at the window's top.
    ///   - spectrum: The spectrum, with `width` more elements at both ends.
    @_noLocks
    func add(_ position: Float, _ amount: SIMD2<Float>, to spectrum: SplitSpectrum) {
        let place = Place(position)
        let width = WindowLobe.width
        let (x, y) = (reals.start + place.row * width, imaginaries.start + place.row * width)
        let (real, imaginary) = (
            spectrum.real + place.firstBin, spectrum.imaginary + place.firstBin
        )
        let (u, v) = (SIMD4(repeating: amount.x), SIMD4(repeating: amount.y))
        var column = place.first
        while column < place.end {
            var (a, b) = (rt_load(x + column), rt_load(y + column))
            a += (rt_load(x + width + column) - a) * place.share
            b += (rt_load(y + width + column) - b) * place.share
            rt_store(real + column, rt_load(real + column) + (u * a - v * b))
            rt_store(imaginary + column, rt_load(imaginary + column) + (u * b + v * a))
            column &+= 4
        }
    }
}
