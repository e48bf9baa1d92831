internal import CRealtime
public import Realtime

/// A detector of the bands of a spectrum in which an attack began: those with several times the
/// energy of the previous hop.
public struct AttackBands: ~Copyable {
    /// The first bin of each band, and the end of the last.
    private let edges: Buffer<Int32>
    private let energies: Buffer<Float>
    private let isStruck: Buffer<Bool>
    /// Hops since the latest attack of each band.
    private let ages: Buffer<Int>
    /// The band of each bin.
    private let bandOfBin: Buffer<UInt8>
    private let bins: Int
    private let count: Int
    /// Whether any band has an attack.
    public private(set) var isAnyStruck = false
    /// Hops since the bands with an attack had a large share of the total energy.
    private var age = AttackBands.old

    /// The number of band edges, equally spaced on the ERB scale; one more band lies below them and
    /// one above.
    private static var innerEdges: Int { 20 }
    /// The growth of a band's energy in one hop, as a factor, from which it is an attack.
    private static var jump: Float { @_noLocks get { 2.25 } }

    /// The same factor if the band already had an attack in the newest span: a decay must not be
    /// split into attacks.
    private static var nextJump: Float { @_noLocks get { 3.45 } }
    /// The share of the total energy from which an attack concerns the whole frame.
    private static var great: Float { @_noLocks get { 0.1 } }
    /// Hops after which an attack has left the newest span, and after which it has left the window.
    private static var left: Int { @_noLocks get { 8 } }
    private static var old: Int { @_noLocks get { 32 } }

    /// Creates bands of silence.
    public init(_ lengths: ShiftLengths, sampleRate: Double) {
        bins = lengths.bins
        var edges = [Int32](repeating: 0, count: AttackBands.innerEdges + 2)
        energies = Buffer(count: AttackBands.innerEdges + 1, repeating: 0)
        isStruck = Buffer(count: AttackBands.innerEdges + 1, repeating: false)
        ages = Buffer(count: AttackBands.innerEdges + 1, repeating: AttackBands.left)
        var bandOfBin = [UInt8](repeating: 0, count: bins)
        var found = 1
        for index in 0..<AttackBands.innerEdges {
            let hertz = AttackBands.edgeHertz(index)
            let bin = Int32((hertz * Double(lengths.transformFrames) / sampleRate).rounded(.up))
            if bin > edges[found - 1], bin < bins {
                edges[found] = bin
                found += 1
            }
        }
        edges[found] = Int32(bins)
        for band in 0..<found {
            for bin in Int(edges[band])..<Int(edges[band + 1]) { bandOfBin[bin] = UInt8(band) }
        }
        count = found
        self.edges = Buffer(edges)
        self.bandOfBin = Buffer(bandOfBin)
    }

    /// Returns the frequency of an edge, from 60 Hz to 20 kHz.
    ///
    /// The edges are equally spaced on the ERB scale, 21.4 log10(1 + 0.00437 f).
    private static func edgeHertz(_ index: Int) -> Double {
        func erb(_ hertz: Double) -> Double { rt_log(1 + 0.00437 * hertz) }
        let share = Double(index) / Double(innerEdges - 1)
        return (rt_exp(erb(60) + share * (erb(20_000) - erb(60))) - 1) / 0.00437
    }

    /// Restarts from silence.
    @_noLocks
    public mutating func clear() {
        for band in 0..<count {
            energies[band] = 0
            ages[band] = AttackBands.left
            isStruck[band] = false
        }
        isAnyStruck = false
        age = AttackBands.old
    }

    /// The number of words of `note`.
    public static var noteWords: Int { innerEdges + 2 }

    /// Writes the ages of the attacks.
    @_noLocks
    public func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(age)
        for band in 0..<count { notes.pointee.put(ages[band]) }
    }

    /// Continues with noted ages.
    @_noLocks
    public mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        age = notes.pointee.pop(from: 0, through: AttackBands.old)
        for band in 0..<count {
            ages[band] = notes.pointee.pop(from: 0, through: AttackBands.left)
        }
    }

    /// Returns a band's energy; between two coarse bins, the power is the mean of both.
    @_noLocks
    private func energy(
        _ band: Int, _ power: UnsafePointer<Float>, _ grid: SpectrumGrid
    ) -> Float {
        let (first, end) = (Int(edges[band]), Int(edges[band + 1]))
        guard grid.isCoarse else { return sum(power + first, count: end - first) }
        let (start, stop) = ((first + 1) / 2, (end + 1) / 2)
        let whole = 2 * sum(power + start, count: stop - start)
        return whole + reach(end, power) - reach(first, power)
    }

    /// Returns the part of a sum up to a fine bin that exceeds twice the sum of the coarse bins
    /// below it.
    @_noLocks
    private func reach(_ bin: Int, _ power: UnsafePointer<Float>) -> Float {
        guard bin > 0, bin < bins else { return 0 }
        return (bin % 2 == 0 ? 0.5 : -0.5) * power[bin / 2]
    }

    /// Updates the attacks from the next hop's power spectrum.
    @_noLocks
    public mutating func follow(_ power: UnsafePointer<Float>, _ grid: SpectrumGrid) {
        let floor = 1e-14 * Float(bins)
        isAnyStruck = false
        var (struck, total): (Float, Float) = (0, 0)
        for band in 0..<count {
            let energy = energy(band, power, grid)
            let jump = ages[band] < AttackBands.left ? AttackBands.nextJump : AttackBands.jump
            isStruck[band] = energy > jump * energies[band] + floor
            ages[band] = isStruck[band] ? 0 : min(ages[band] + 1, AttackBands.left)
            isAnyStruck = isAnyStruck || isStruck[band]
            energies[band] = energy
            total += energy
            struck += isStruck[band] ? energy : 0
        }
        age = struck > AttackBands.great * total ? 0 : min(age + 1, AttackBands.old)
    }

    /// Whether the newest span of frames contains an attack that is not small compared with the
    /// other energy.
    public var isInSpan: Bool { @_noLocks get { age < AttackBands.left } }
    /// Whether the older frames under the window contain one.
    public var isInWindow: Bool { @_noLocks get { age < AttackBands.old } }

    /// Returns the share of the total energy below a fine bin, assuming that each band's energy is
    /// spread evenly.
    @_noLocks
    public func share(below bin: Float) -> Float {
        var (below, total): (Float, Float) = (0, 0)
        for band in 0..<count {
            let (first, end) = (Float(edges[band]), Float(edges[band + 1]))
            below += energies[band] * max(0, min(1, (bin - first) / (end - first)))
            total += energies[band]
        }
        return total > 0 ? below / total : 1
    }

    /// Returns whether the band around a fine bin has an attack.
    @_noLocks
    public func isStruck(bin: Int) -> Bool { isStruck[Int(bandOfBin[bin])] }
}
