internal import CRealtime
internal import Realtime

/// The rows by which the five bins around a line tell its amount, and the distance to its true
/// frequency, in the sense of least squares.
///
/// Between the rows of the table, values are interpolated on straight lines, as in `HannLobe`.
struct HannFit: ~Copyable {
    /// For each fraction of a bin: the rows of the amount, of the movement, and of the amount alone.
    private let table: Buffer<Float>
    /// The rows in use.
    private let rows: Buffer<Float>
    /// The values and slopes of the lobe.
    private let values: Buffer<Float>
    private let slopes: Buffer<Float>
    let lobe = HannLobe()

    /// The number of bins on either side of a line that are fitted.
    static var reach: Int { @_noLocks get { 2 } }
    private static var count: Int { @_noLocks get { 2 * HannFit.reach + 1 } }
    /// The length of a row, padded with 0 so that two vectors fit.
    private static var width: Int { @_noLocks get { 8 } }

    /// Creates the table.
    init() {
        table = Buffer(count: 3 * HannFit.width * (HannLobe.fractions + 1), repeating: 0)
        rows = Buffer(count: 3 * HannFit.width, repeating: 0)
        values = Buffer(count: HannLobe.width, repeating: 0)
        slopes = Buffer(count: HannLobe.width, repeating: 0)
        for fraction in 0...HannLobe.fractions {
            let offset = Float(fraction) / Float(HannLobe.fractions) - 0.5
            solve(offset, from: 0, to: table.start + 3 * HannFit.width * fraction)
        }
    }

    /// Prepares the fit of a line.
    ///
    /// - Parameters:
    ///   - offset: The nearest bin minus the line's frequency, from -0.5 to 0.5 bins.
    ///   - middle: The nearest bin; bins below 0 are left out.
    @_noLocks @inline(__always)
    func prepare(_ offset: Float, middle: Int) {
        guard middle >= HannFit.reach else {
            return solve(offset, from: HannFit.reach - middle, to: rows.start)
        }
        let exact = (offset + 0.5) * Float(HannLobe.fractions)
        let whole = min(max(0, Int(exact)), HannLobe.fractions - 1)
        let share = SIMD4<Float>(repeating: exact - Float(whole))
        let low = table.start + 3 * HannFit.width * whole
        let high = low + 3 * HannFit.width
        for column in stride(from: 0, to: 3 * HannFit.width, by: 4) {
            let value = rt_load(low + column)
            rt_store(rows.start + column, value + (rt_load(high + column) - value) * share)
        }
    }

    /// Fits the amount of the line, if its frequency is free.
    ///
    /// - Parameter spectrum: The bins from `reach` below the line's nearest one.
    /// - Returns: The amount, as a complex number.
    @_noLocks @inline(__always)
    func amount(_ spectrum: SplitSpectrum) -> SIMD2<Float> { sum(rows.start, spectrum) }

    /// Returns the movement of the line's frequency, in bins, times its amount.
    @_noLocks @inline(__always)
    func movement(_ spectrum: SplitSpectrum) -> SIMD2<Float> {
        sum(rows.start + HannFit.width, spectrum)
    }

    /// Returns the amount of the line at the given frequency.
    @_noLocks @inline(__always)
    func amountAlone(_ spectrum: SplitSpectrum) -> SIMD2<Float> {
        sum(rows.start + 2 * HannFit.width, spectrum)
    }

    /// The sum of the squares of the lobe at the fitted bins.
    var energy: Float {
        @_noLocks @inline(__always) get {
            // The row of the amount alone is the lobe divided by this sum.
            let alone = rows.start + 2 * HannFit.width
            let (low, high) = (rt_load(alone), rt_load(alone + 4))
            return 1 / rt_sum_of_lanes(low * low + high * high)
        }
    }

    @_noLocks @inline(__always)
    private func sum(_ row: UnsafePointer<Float>, _ spectrum: SplitSpectrum) -> SIMD2<Float> {
        let (low, high) = (rt_load(row), rt_load(row + 4))
        let (real, imaginary) = (spectrum.real, spectrum.imaginary)
        return SIMD2(
            rt_sum_of_lanes(low * rt_load(real) + high * rt_load(real + 4)),
            rt_sum_of_lanes(low * rt_load(imaginary) + high * rt_load(imaginary + 4)))
    }

    /// Writes the three rows of an offset without the first columns.
    @_noLocks
    private func solve(_ offset: Float, from first: Int, to rows: UnsafeMutablePointer<Float>) {
        lobe.write(offset, to: values.start)
        lobe.writeSlopes(offset, to: slopes.start)
        let start = HannLobe.reach - HannFit.reach
        let (values, slopes) = (values.start + start, slopes.start + start)
        rt_clear(rows, Int64(3 * HannFit.width))
        var (vv, vs, ss): (Float, Float, Float) = (0, 0, 0)
        for column in first..<HannFit.count {
            vv += values[column] * values[column]
            vs += values[column] * slopes[column]
            ss += slopes[column] * slopes[column]
        }
        let inverse = 1 / (vv * ss - vs * vs)
        for column in first..<HannFit.count {
            let (value, slope) = (values[column], slopes[column])
            rows[column] = (value * ss - slope * vs) * inverse
            rows[HannFit.width + column] = (slope * vv - value * vs) * inverse
            rows[2 * HannFit.width + column] = value / vv
        }
    }
}
