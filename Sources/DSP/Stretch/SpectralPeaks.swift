internal import CRealtime
internal import Realtime

/// The peaks of a spectrum with the regions that move together with them, and the turn of each
/// frequency.
struct SpectralPeaks: ~Copyable {
    private let binCount: Int
    /// The bin of each peak.
    let bins: Buffer<Int32>
    /// Complex numbers of magnitude 1 by which the frequencies are turned.
    let turns: ComplexBuffer
    /// The turn of each peak.
    private let angles: ComplexBuffer
    private(set) var count = 0

    /// Creates storage for the peaks of a spectrum.
    ///
    /// - Parameters:
    ///   - bins: The number of frequencies.
    ///   - stride: The room for them, a multiple of four.
    init(bins: Int, stride: Int) {
        binCount = bins
        self.bins = Buffer(count: bins / 2 + 8, repeating: 0)
        turns = ComplexBuffer(count: stride)
        angles = ComplexBuffer(count: bins / 2 + 16)
    }

    /// Finds the peaks of a power spectrum: bins above two neighbours on each side, and weaker ones
    /// that are not side lobes.
    ///
    /// - Parameters:
    ///   - power: The spectrum, with two more readable elements before it and eight after it.
    ///   - turned: The turns of its bins within a hop, where weaker peaks are searched for.
    @_noLocks
    mutating func find(_ power: UnsafePointer<Float>, turned: RTTurned) {
        count = PeakFinder(power: power, turned: turned).find(bins: binCount, to: bins.start)
    }

    /// Writes the turn of each region: the angle between output and input at its peak and the two
    /// neighbours.
    ///
    /// - Parameters:
    ///   - match: The last output's spectrum times the conjugate of the input's, one hop earlier.
    ///   - power: The spectrum in which the peaks were found.
    ///   - part: The part of the angle to turn.
    ///   - attackShare: The share of an attack in each frequency, if one begins.
    ///   - shareScale: The number of frequencies of `attackShare` per frequency of this spectrum.
    @_noLocks
    func writeTurns(
        _ match: RTComplexArray, power: UnsafePointer<Float>, part: TurnPart,
        attackShare: UnsafePointer<Float>?,
        shareScale: Float
    ) {
        let angles = angles.array
        for index in 0..<count {
            let peak = Int(bins[index])
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

    /// The largest number of words of `note`.
    var noteWords: Int { 1 + bins.count }

    /// Writes the turn of each peak.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        let angles = angles.array
        notes.pointee.put(count)
        for index in 0..<count {
            notes.pointee.put(angles.real[index], angles.imaginary[index])
        }
    }

    /// Writes the turn of each region again, from noted turns of the peaks.
    ///
    /// - Parameters:
    ///   - notes: The notes.
    ///   - power: The spectrum in which the peaks were found.
    /// - Returns: Whether the turns are those of these peaks.
    @_noLocks
    func follow(
        _ notes: UnsafeMutablePointer<StateNotes>, power: UnsafePointer<Float>
    ) -> Bool {
        let noted = notes.pointee.pop(from: 0, through: bins.count)
        let angles = angles.array
        for index in 0..<noted {
            let (real, imaginary) = notes.pointee.popNumbers(within: 2)
            guard noted == count else { continue }
            angles.real[index] = real
            angles.imaginary[index] = imaginary
        }
        guard noted == count else { return false }
        fillRegions(power)
        return true
    }

    /// Sets the angle of peaks dominated by an attack to 0, so that the remaining sound joins the
    /// attack in its own phase.
    @_noLocks
    private func release(_ attackShare: UnsafePointer<Float>, _ shareScale: Float) {
        for index in 0..<count
        where attackShare[Int(Float(bins[index]) * shareScale + 0.5)] > 0.5 {
            angles.real[index] = 1
            angles.imaginary[index] = 0
        }
    }

    /// Assigns the turn of its peak to every bin; regions meet at the weakest bin between two
    /// peaks.
    @_noLocks
    private func fillRegions(_ power: UnsafePointer<Float>) {
        let (bins, angles, turns) = (bins.start, angles.array, turns.array)
        var start = 0
        for index in 0..<count {
            let end =
                index + 1 < count
                ? Int(rt_weakest(power, bins[index], bins[index + 1])) : binCount
            let real = SIMD4(repeating: angles.real[index])
            let imaginary = SIMD4(repeating: angles.imaginary[index])
            var bin = start
            // The last store may reach into the next region, which overwrites it.
            while bin < end {
                rt_store(turns.real + bin, real)
                rt_store(turns.imaginary + bin, imaginary)
                bin += 4
            }
            start = end
        }
        guard count == 0 else { return }
        for bin in 0..<binCount {
            turns.real[bin] = 1
            turns.imaginary[bin] = 0
        }
    }
}

/// The part of an angle to turn.
enum TurnPart: BitwiseCopyable { case whole, half }
