internal import CRealtime
internal import Realtime

/// Gains that keep the level of noise where incoherent frames overlap.
///
/// The frames of a partial add up in phase. The frames of noise, read at one spacing and overlapped
/// at another, add up only partly, and the sum is weaker. In each band, their coherence is measured
/// between the last output frame and the input one hop earlier, turned like this frame.
struct OverlapLevels: ~Copyable {
    /// For each window, the gains for a coherence of 0, 1/64… 1.
    private let gains: Buffer<Float>
    /// The index of the latest gain of each band.
    private let steps: Buffer<UInt8>

    /// The number of steps from no to full coherence.
    private static var stepCount: Int { @_noLocks get { 64 } }
    /// The number of bins per band.
    private static var bandBins: Int { @_noLocks get { 32 } }
    /// The coherence from which a band counts as fully coherent, so that tones stay unchanged.
    private static var fullShare: Float { @_noLocks get { 0.95 } }
    /// The maximum gain: 3.5 dB.
    private static var highestGain: Double { @_noLocks get { 1.5 } }

    init(windows: borrowing StretchWindows, hopFrames: Int, stride: Int) {
        steps = Buffer(count: stride / OverlapLevels.bandBins, repeating: 0)
        let rowLength = OverlapLevels.stepCount + 1
        gains = Buffer(count: StretchWindows.count * rowLength, repeating: 0)
        for window in 0..<StretchWindows.count {
            let products = OverlapLevels.products(windows, window, hopFrames: hopFrames)
            for step in 0..<rowLength {
                let share = Double(step) / Double(OverlapLevels.stepCount)
                let power = OverlapLevels.power(products, share: share)
                gains[window * rowLength + step] = Float(
                    min(1 / rt_sqrt(power), OverlapLevels.highestGain))
            }
            // Exactly 1, so that tones stay unchanged.
            gains[window * rowLength + OverlapLevels.stepCount] = 1
        }
    }

    /// Returns the overlap of windowed frames with those a number of hops later, for each distance,
    /// as a share of a steady sum.
    private static func products(
        _ windows: borrowing StretchWindows, _ window: Int, hopFrames: Int
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

    /// Returns the power of a sum of frames in which neighbours have a coherence of `share`, the
    /// frames after them its square, and so on.
    private static func power(_ products: [Double], share: Double) -> Double {
        var (sum, common) = (0.0, 1.0)
        for (distance, product) in products.enumerated() {
            sum += (distance == 0 ? 1 : 2) * common * product
            common *= share
        }
        return sum
    }

    /// Multiplies the turns of each band by its gain.
    @_noLocks
    func apply(_ memory: borrowing StretchMemory, turns: RTComplexArray, window: Int) {
        let row = gains.start + window * (OverlapLevels.stepCount + 1)
        let count = OverlapLevels.bandBins
        var start = 0
        while start + count <= memory.stride {
            let sums = rt_band_sums(
                memory.match.array, turns, memory.powerPrevious.start, memory.powerBefore.start,
                Int64(start), Int64(count))
            let product = Double(sums.firstPower) * Double(sums.secondPower)
            let share = product > 1e-30 ? sums.common / Float(rt_sqrt(product)) : 1
            let step =
                min(max(share / OverlapLevels.fullShare, 0), 1) * Float(OverlapLevels.stepCount)
            let index = Int(step + 0.5)
            steps[start / count] = UInt8(truncatingIfNeeded: index)
            let gain = row[index]
            if gain != 1 { rt_scale(turns, gain, Int64(start), Int64(count)) }
            start += count
        }
    }

    /// The number of words of `note`.
    var noteWords: Int { (steps.count + 7) / 8 }

    /// Writes the latest gains.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        for first in stride(from: 0, to: steps.count, by: 8) {
            var word: UInt64 = 0
            for band in first..<min(first + 8, steps.count) {
                word |= UInt64(steps[band]) &<< UInt64(8 * (band - first))
            }
            notes.pointee.put(word)
        }
    }

    /// Multiplies the turns of each band by its noted gain.
    @_noLocks
    func follow(
        _ notes: UnsafeMutablePointer<StateNotes>, turns: RTComplexArray, window: Int
    ) {
        let row = gains.start + window * (OverlapLevels.stepCount + 1)
        let count = OverlapLevels.bandBins
        for first in stride(from: 0, to: steps.count, by: 8) {
            let word = notes.pointee.pop()
            for band in first..<min(first + 8, steps.count) {
                let index = Int(word &>> UInt64(8 * (band - first)) & 0xFF)
                let gain = row[min(index, OverlapLevels.stepCount)]
                if gain != 1 { rt_scale(turns, gain, Int64(band * count), Int64(count)) }
            }
        }
    }
}
