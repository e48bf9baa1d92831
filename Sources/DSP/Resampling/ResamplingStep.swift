internal import CRealtime

/// The number of input frames per output frame: whole frames and an integer fraction, so that
/// positions never drift.
struct ResamplingStep: BitwiseCopyable {
    let wholeFrames: Int
    /// The numerator of the fraction of a frame.
    let parts: Int
    /// The denominator of that fraction: the parts per frame.
    let partCount: Int

    /// The parts per frame if the step is not a ratio of integers; the drift in a day is below a
    /// thousandth of a frame.
    private static var finePartCount: Int { @_noLocks get { 1 << 44 } }

    /// Creates the step from one rate to another, exact if both rates are integers.
    init(from inputRate: Double, to outputRate: Double) {
        guard inputRate.rounded() == inputRate, outputRate.rounded() == outputRate else {
            self.init(inputRate / outputRate)
            return
        }
        let (input, output) = (Int(inputRate), Int(outputRate))
        let divisor = greatestCommonDivisor(input, output)
        self.init(input / output, parts: input % output / divisor, of: output / divisor)
    }

    /// Creates a step in frames, from 0 to 256.
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

    /// Returns the fraction of a frame that a number of parts is.
    @_noLocks @inline(__always)
    func fraction(_ parts: Int) -> Double { Double(parts) / Double(partCount) }

    /// Returns the position one step after another position.
    @_noLocks @inline(__always)
    func next(_ frame: Int, _ parts: Int) -> (frame: Int, parts: Int) {
        let sum = parts + self.parts
        return sum < partCount
            ? (frame + wholeFrames, sum) : (frame + wholeFrames + 1, sum - partCount)
    }

    /// Returns the position after `count` steps.
    ///
    /// - Parameter count: The number of steps, at least 0.
    /// - Returns: The whole frames, and the parts of the next.
    func position(after count: Int) -> (frame: Int, parts: Int) {
        let product = count.multipliedFullWidth(by: parts)
        let (whole, rest) = partCount.dividingFullWidth(product)
        return (count * wholeFrames + whole, rest)
    }
}

private func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    b == 0 ? a : greatestCommonDivisor(b, a % b)
}
