internal import CRealtime

/// The mirror image of the lowest partial below 0 Hz, whose skirt reaches into the partial's bins.
struct MirrorImage: BitwiseCopyable {
    /// The number of bins from which the image is separated; 0 if there is no image.
    var count = 0
    /// The age of the older spectrum, in hops.
    var hops = 0
    /// The turn of the partial since then.
    var turn = RTDirection()
    /// Half the cotangent of that angle.
    var cotangent: Float = 0
}

extension PeakMap {
    /// The maximum number of bins from which an image is separated.
    static var imageBins: Int { @_noLocks get { 61 } }

    /// Finds the bins from which to separate the image of the lowest partial.
    @_noLocks
    mutating func findImage(oldestHops: Int) {
        image = MirrorImage()
        guard count > 0 else { return }
        let frequency = regions.frequencies[0]
        let isLow = frequency >= 2 && frequency <= 40
        guard isLow, abs(frequency - Float(bin(0))) <= 4 else { return }
        let hops = imageHops(frequency, oldestHops: min(oldestHops, 8))
        guard hops > 0 else { return }
        let turn = PeakMap.direction(Double(frequency) * Double(hops * grid.hop) / 64)
        guard abs(turn.imaginary) >= 0.1 else { return }
        image = MirrorImage(
            count: lastImageBin(frequency) + 1, hops: hops, turn: turn,
            cotangent: 0.5 * turn.real / turn.imaginary)
    }

    /// Returns the number of hops in which partial and image turn apart by about half a circle, or
    /// by an odd multiple of half a circle; 0 if no known spectrum is old enough.
    @_noLocks
    private func imageHops(_ frequency: Float, oldestHops: Int) -> Int {
        var (hops, farthest): (Int, Float) = (0, 0.2)
        for age in stride(from: 1, through: oldestHops, by: 1) {
            var turns = Float(age * grid.hop) * frequency / 32
            turns -= Float(Int(turns))
            let off = turns < 0.5 ? turns : 1 - turns
            if off > farthest + 0.05 { (hops, farthest) = (age, off) }
        }
        return hops
    }

    @_noLocks
    private func lastImageBin(_ frequency: Float) -> Int {
        // For a very low partial, separating bins farther up does more harm than good.
        let last = bin(0) + (frequency < 7.5 ? 2 : 20)
        guard count > 1 else { return last }
        let isAlone = regions.frequencies[1] - frequency > 12
        return min(isAlone ? last : bin(0), Int(regions.borders[0]))
    }

    /// Moves the lowest partial's image down by the distance that the partial moves up, and turns
    /// it in the opposite direction.
    @_noLocks
    func moveImage(
        _ spectrum: SplitSpectrum, before: SplitSpectrum, to shifted: SplitSpectrum
    ) {
        let (real, imaginary) = (image.turn.real, image.turn.imaginary)
        var bin = 0
        while bin < image.count {
            let (u, v) = (rt_load(before.real + bin), rt_load(before.imaginary + bin))
            let x = rt_load(spectrum.real + bin) - (u * real - v * imaginary)
            let y = rt_load(spectrum.imaginary + bin) - (u * imaginary + v * real)
            rt_store(leak.real + bin, x * 0.5 - y * image.cotangent)
            rt_store(leak.imaginary + bin, y * 0.5 + x * image.cotangent)
            bin += 4
        }
        regions.moveRun(0, -1, 0, image.count, leak.spectrum, to: shifted, at: 0)
        mirrorFirst()
        // At 0 Hz, the image is the partial itself: if that moves away, bin 0 has already moved
        // with it.
        let distance = Float(regions.wholes[0]) + regions.fractions[0]
        let nearness = max(0, 1 - abs(distance))
        leak.real[0] *= nearness
        leak.imaginary[0] *= nearness
        regions.moveRun(count, 1, 0, image.count, leak.spectrum, to: shifted, at: 0)
    }

    /// Fills the slot after the last region with the mirror image of the first.
    @_noLocks
    private func mirrorFirst() {
        let isBetween = regions.fractions[0] > 0
        regions.wholes[count] = -regions.wholes[0] - (isBetween ? 1 : 0)
        regions.fractions[count] = (isBetween ? 1 : 0) - regions.fractions[0]
        regions.reals[count] = regions.reals[0]
        regions.imaginaries[count] = -regions.imaginaries[0]
    }

    /// Folds the bins below 0 Hz back as their mirror image.
    @_noLocks
    func fold(_ shifted: SplitSpectrum) {
        for bin in 1...PeakRegions.below {
            shifted.real[bin] += shifted.real[-bin]
            shifted.imaginary[bin] -= shifted.imaginary[-bin]
        }
    }
}
