internal import CRealtime

/// The peaks of a spectrum, each with the region that moves as one with it, and the turn of each frequency.
///
/// It owns its memory without freeing it: whoever made it calls `deallocate`.
struct SpectralPeaks: BitwiseCopyable {
    private let bins: Int
    // SAFETY: the places live from `init` through `deallocate`, which the owner calls at its own end.
    let places: UnsafeMutablePointer<Int32>
    /// Unit numbers by which the frequencies are turned.
    let turns: RTComplexArray
    /// The turn of each peak.
    private let angles: RTComplexArray
    private(set) var count = 0

    /// - Parameters:
    ///   - bins: Frequencies.
    ///   - stride: Room for them, a multiple of four.
    init(bins: Int, stride: Int) {
        self.bins = bins
        places = .allocate(capacity: bins / 2 + 8)
        places.initialize(repeating: 0, count: bins / 2 + 8)
        turns = complexZeros(stride)
        angles = complexZeros(bins / 2 + 16)
    }

    func deallocate() {
        places.deallocate()
        deallocateComplex(turns)
        deallocateComplex(angles)
    }

    /// Finds the peaks of a power spectrum: above two neighbours on either side, and weaker ones that are no side lobes.
    ///
    /// - Parameters:
    ///   - power: With two more places before it and eight behind.
    ///   - turned: How far its bins turned within a hop, where weaker ones are looked for.
    @_noLocks
    mutating func find(_ power: UnsafePointer<Float>, turned: RTTurned) {
        count = PeakFinder(power: power, turned: turned).find(bins: bins, to: places)
    }

    /// Writes each region's turn: the angle that output and input are apart at its peak and the two neighbours.
    ///
    /// - Parameters:
    ///   - match: The last output's spectrum times the conjugate of the input's a hop before.
    ///   - power: The spectrum in which the peaks were found.
    ///   - part: How much of the angle is turned.
    ///   - attackShare: An attack's share of each frequency, where one begins.
    ///   - shareScale: Frequencies of that share for one of these.
    @_noLocks
    func writeTurns(
        _ match: RTComplexArray, power: UnsafePointer<Float>, part: TurnPart,
        attackShare: UnsafePointer<Float>?,
        shareScale: Float
    ) {
        for index in 0..<count {
            let peak = Int(places[index])
            let (real, imaginary) = (match.real + peak, match.imaginary + peak)
            angles.real[index] = real[-1] + real[0] + real[1]
            angles.imaginary[index] = imaginary[-1] + imaginary[0] + imaginary[1]
        }
        let padded = Int64((count + 3) / 4 * 4)
        rt_normalise(angles, padded)
        if part == .half {
            for index in 0..<Int(padded) { angles.real[index] += 1 }
            rt_normalise(angles, padded)
        }
        if let attackShare { release(attackShare, shareScale) }
        fillRegions(power)
    }

    /// Where an attack begins, what is left of the input joins it in its own phase.
    @_noLocks
    private func release(_ attackShare: UnsafePointer<Float>, _ shareScale: Float) {
        for index in 0..<count
        where attackShare[Int(Float(places[index]) * shareScale + 0.5)] > 0.5 {
            angles.real[index] = 1
            angles.imaginary[index] = 0
        }
    }

    /// Gives every bin the turn of its peak; regions meet at the weakest bin between two peaks.
    @_noLocks
    private func fillRegions(_ power: UnsafePointer<Float>) {
        var start = 0
        for index in 0..<count {
            let end =
                index + 1 < count
                ? Int(rt_weakest(power, places[index], places[index + 1])) : bins
            let real = SIMD4(repeating: angles.real[index])
            let imaginary = SIMD4(repeating: angles.imaginary[index])
            var bin = start
            // The last store may reach beyond the region: the next one writes there again.
            while bin < end {
                rt_store(turns.real + bin, real)
                rt_store(turns.imaginary + bin, imaginary)
                bin += 4
            }
            start = end
        }
        guard count == 0 else { return }
        for bin in 0..<bins {
            turns.real[bin] = 1
            turns.imaginary[bin] = 0
        }
    }
}

/// How much of an angle is turned.
enum TurnPart: BitwiseCopyable { case whole, half }
