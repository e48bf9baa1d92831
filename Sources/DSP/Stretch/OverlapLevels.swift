internal import CRealtime

/// Gains that keep the level of noise where frames overlap that do not belong together.
///
/// Frames of a partial add up in step; frames of noise, read at one distance and laid down at another, add up in part, and the
/// sum is weaker. How much they have in common is seen in each band: the last output frame against the input a hop before,
/// turned as this frame is turned. It owns its memory without freeing it: whoever made it calls `deallocate`.
struct OverlapLevels: BitwiseCopyable {
    // SAFETY: the place lives from `init` through `deallocate`, which the owner calls at its own end.
    /// For each window, the gain for what neighbours have in common: none, a 64th… all.
    private let gains: UnsafeMutablePointer<Float>

    /// Steps from nothing in common to everything.
    private static var stepCount: Int { @_noLocks get { 64 } }
    /// Bins that are judged together.
    private static var bandBins: Int { @_noLocks get { 32 } }
    /// From here on all is taken as in common, so that tones stay as they are.
    private static var fullShare: Float { @_noLocks get { 0.95 } }
    /// The most that is made good: 3.5 dB.
    private static var highestGain: Double { @_noLocks get { 1.5 } }

    init(windows: StretchWindows, hopFrames: Int) {
        let rowLength = OverlapLevels.stepCount + 1
        gains = zeros(StretchWindows.count * rowLength)
        for window in 0..<StretchWindows.count {
            let products = OverlapLevels.products(windows, window, hopFrames: hopFrames)
            for step in 0..<rowLength {
                let share = Double(step) / Double(OverlapLevels.stepCount)
                let power = OverlapLevels.power(products, share: share)
                gains[window * rowLength + step] = Float(
                    min(1 / rt_sqrt(power), OverlapLevels.highestGain))
            }
            // To the bit, so that tones are not touched.
            gains[window * rowLength + OverlapLevels.stepCount] = 1
        }
    }

    func deallocate() { gains.deallocate() }

    /// What frames under their windows have of those some hops later, for each distance, as a share of a steady sum.
    private static func products(
        _ windows: StretchWindows, _ window: Int, hopFrames: Int
    ) -> [Double] {
        let (count, table) = (windows.frames(window), windows.table(window))
        func squared(_ frame: Int) -> Double { Double(table[frame]) * Double(table[frame]) }
        let total = (0..<count).reduce(0.0) { $0 + squared($1) }
        return stride(from: 0, to: count, by: hopFrames).map { distance in
            let product = (0..<(count - distance)).reduce(0.0) {
                $0 + squared($1) * squared($1 + distance)
            }
            return product * Double(hopFrames) / (total * total)
        }
    }

    /// The power of a sum of frames whose neighbours have a share in common, the next ones its square, and so on.
    private static func power(_ products: [Double], share: Double) -> Double {
        var (sum, common) = (0.0, 1.0)
        for (distance, product) in products.enumerated() {
            sum += (distance == 0 ? 1 : 2) * common * product
            common *= share
        }
        return sum
    }

    /// Makes the turns as strong as each band needs.
    @_noLocks
    func apply(_ memory: StretchMemory, turns: RTComplexArray, window: Int) {
        let row = gains + window * (OverlapLevels.stepCount + 1)
        let count = OverlapLevels.bandBins
        var start = 0
        while start + count <= memory.stride {
            let sums = rt_band_sums(
                memory.match, turns, memory.powerPrevious, memory.powerBefore, Int64(start),
                Int64(count))
            let product = Double(sums.firstPower) * Double(sums.secondPower)
            let share = product > 1e-30 ? sums.common / Float(rt_sqrt(product)) : 1
            let place =
                min(max(share / OverlapLevels.fullShare, 0), 1) * Float(OverlapLevels.stepCount)
            let gain = row[Int(place + 0.5)]
            if gain != 1 { rt_scale(turns, gain, Int64(start), Int64(count)) }
            start += count
        }
    }
}
