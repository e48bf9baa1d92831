internal import CRealtime

/// How many input frames an output frame advances: whole frames and a fraction, so that no position ever drifts.
struct ResamplingStep: BitwiseCopyable {
    let wholeFrames: Int
    /// Parts of a frame beside the whole ones.
    let parts: Int
    /// Parts of a frame in all.
    let partCount: Int

    /// Parts of a frame where the step is no ratio of whole numbers; a day's drift is below a thousandth of a frame.
    private static var finePartCount: Int { @_noLocks get { 1 << 44 } }

    /// The step from one rate to another, exact where both are whole numbers.
    init(from inputRate: Double, to outputRate: Double) {
        guard inputRate.rounded() == inputRate, outputRate.rounded() == outputRate else {
            self.init(inputRate / outputRate)
            return
        }
        let (input, output) = (Int(inputRate), Int(outputRate))
        let divisor = greatestCommonDivisor(input, output)
        self.init(input / output, parts: input % output / divisor, of: output / divisor)
    }

    /// A step in frames, from 0 through 256.
    @_noLocks
    init(_ frames: Double) {
        let (whole, fine) = (rt_floor(frames), ResamplingStep.finePartCount)
        self.init(Int(whole), parts: Int((frames - whole) * Double(fine)), of: fine)
    }

    @_noLocks
    private init(_ wholeFrames: Int, parts: Int, of partCount: Int) {
        self.wholeFrames = wholeFrames
        self.parts = parts
        self.partCount = partCount
    }

    /// The step in frames.
    var frames: Double { Double(wholeFrames) + Double(parts) / Double(partCount) }

    /// Parts of a frame as a share of it.
    @_noLocks @inline(__always)
    func fraction(_ parts: Int) -> Double { Double(parts) / Double(partCount) }

    /// Where a step leads from a frame and parts of another.
    @_noLocks @inline(__always)
    func next(_ frame: Int, _ parts: Int) -> (frame: Int, parts: Int) {
        let sum = parts + self.parts
        return sum < partCount
            ? (frame + wholeFrames, sum) : (frame + wholeFrames + 1, sum - partCount)
    }

    /// Where so many steps lead.
    ///
    /// - Parameter count: From 0 up.
    /// - Returns: Frames, and parts of another.
    func position(after count: Int) -> (frame: Int, parts: Int) {
        let product = count.multipliedFullWidth(by: parts)
        let (whole, rest) = partCount.dividingFullWidth(product)
        return (count * wholeFrames + whole, rest)
    }
}

private func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    b == 0 ? a : greatestCommonDivisor(b, a % b)
}
