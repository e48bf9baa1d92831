internal import CRealtime
internal import DSP
internal import Realtime

/// Working memory for one hop of one channel in the fast pitch shift; all channels use it in turn.
struct FastShiftScratch: ~Copyable {
    private let samples: Buffer<Float>
    private let lengths: ShiftLengths
    private let room: Int

    init(_ lengths: ShiftLengths) {
        self.lengths = lengths
        room = lengths.paddedBins + 2 * PartialWindows.margin
        samples = Buffer(count: lengths.transformFrames + 3 * room, repeating: 0)
    }

    /// The input of a transform, and the output of an inverse transform.
    var frames: UnsafeMutablePointer<Float> { @_noLocks get { samples.start } }
    /// The power spectrum of all channels together.
    var power: UnsafeMutablePointer<Float> { @_noLocks get { spectrum(0) } }
    /// A shifted spectrum.
    var shifted: SplitSpectrum {
        @_noLocks get { SplitSpectrum(real: spectrum(1), imaginary: spectrum(2)) }
    }

    @_noLocks
    private func spectrum(_ index: Int) -> UnsafeMutablePointer<Float> {
        samples.start + lengths.transformFrames + PartialWindows.margin + index * room
    }

    /// Clears the power spectrum.
    @_noLocks
    func clearPower() { rt_clear(power, Int64(lengths.paddedBins)) }

    /// Returns the power of the bins below one.
    @_noLocks
    func power(below bin: Int) -> Float {
        var sums = SIMD4<Float>.zero
        var index = 0
        while index &+ 4 <= bin {
            sums += rt_load(power + index)
            index &+= 4
        }
        var sum = rt_sum_of_lanes(sums)
        while index < bin {
            sum += power[index]
            index &+= 1
        }
        return sum
    }

    /// Clears the shifted spectrum, including the overhang.
    @_noLocks
    func clearShifted() {
        rt_clear(shifted.real - PartialWindows.margin, Int64(room))
        rt_clear(shifted.imaginary - PartialWindows.margin, Int64(room))
    }

    /// Folds what the lobes of partials left below 0 Hz back: a real sine has a mirror image there.
    ///
    /// - Parameter lowest: The real part at 0 Hz without the partials.
    @_noLocks
    func fold(lowest: Float) {
        let (real, imaginary) = (shifted.real, shifted.imaginary)
        for bin in 1..<PartialWindows.margin {
            real[bin] += real[-bin]
            imaginary[bin] -= imaginary[-bin]
        }
        real[0] = 2 * real[0] - lowest
        imaginary[0] = 0
    }
}
