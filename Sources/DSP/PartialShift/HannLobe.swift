internal import CRealtime
internal import Realtime

/// The transform of a Hann window about its middle, relative to its height, and its derivative by
/// the frequency, at the bins around a line.
///
/// Between the rows of the table, values are interpolated on straight lines, with an error of
/// -80 dB.
struct HannLobe: ~Copyable {
    /// Rows of `width` values, one row for each fraction of a bin.
    private let values: Buffer<Float>
    private let slopes: Buffer<Float>

    /// The number of bins on either side of the line's nearest bin.
    static var reach: Int { @_noLocks get { 5 } }
    /// The length of a row, padded so that loops over four lanes fit.
    static var width: Int { @_noLocks get { 12 } }
    /// The number of rows of the table per bin.
    static var fractions: Int { @_noLocks get { 64 } }

    /// Creates the table.
    init() {
        let count = (HannLobe.fractions + 1) * HannLobe.width
        values = Buffer(count: count, repeating: 0)
        slopes = Buffer(count: count, repeating: 0)
        for row in 0...HannLobe.fractions {
            for column in 0...2 * HannLobe.reach {
                let distance =
                    Double(column - HannLobe.reach) + Double(row) / Double(HannLobe.fractions) - 0.5
                let (value, slope) = HannLobe.lobe(distance)
                values[row * HannLobe.width + column] = Float(value)
                slopes[row * HannLobe.width + column] = Float(slope)
            }
        }
    }

    /// Returns sin(πd) / (πd (1 - d²)), and its derivative by the line's frequency, at a distance d
    /// in bins from the line.
    private static func lobe(_ distance: Double) -> (value: Double, slope: Double) {
        let apart = abs(distance)
        if apart < 1e-4 { return (1, 0) }
        if abs(apart - 1) < 1e-4 { return (0.5, distance > 0 ? 0.75 : -0.75) }
        let (angle, rest) = (Double.pi * distance, 1 - distance * distance)
        let sinc = rt_sin(angle) / angle
        let sincSlope = (rt_cos(angle) - sinc) / distance
        return (sinc / rest, -(sincSlope / rest + sinc * 2 * distance / (rest * rest)))
    }

    /// Writes the values around a line, from `reach` bins below its nearest bin.
    ///
    /// - Parameters:
    ///   - offset: The nearest bin minus the line's frequency, from -0.5 to 0.5 bins.
    ///   - row: Room for `width` values.
    @_noLocks @inline(__always)
    func write(_ offset: Float, to row: UnsafeMutablePointer<Float>) {
        interpolate(values.start, offset, to: row)
    }

    /// Writes the derivatives around a line in the same order.
    @_noLocks @inline(__always)
    func writeSlopes(_ offset: Float, to row: UnsafeMutablePointer<Float>) {
        interpolate(slopes.start, offset, to: row)
    }

    @_noLocks @inline(__always)
    private func interpolate(
        _ table: UnsafePointer<Float>, _ offset: Float, to row: UnsafeMutablePointer<Float>
    ) {
        let exact = (offset + 0.5) * Float(HannLobe.fractions)
        let whole = min(max(0, Int(exact)), HannLobe.fractions - 1)
        let share = SIMD4<Float>(repeating: exact - Float(whole))
        let low = table + whole * HannLobe.width
        let high = low + HannLobe.width
        for column in stride(from: 0, to: HannLobe.width, by: 4) {
            let value = rt_load(low + column)
            rt_store(row + column, value + (rt_load(high + column) - value) * share)
        }
    }
}
