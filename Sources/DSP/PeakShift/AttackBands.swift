internal import CRealtime

/// Tells in which bands of a spectrum an attack began: where the energy is several times that of the hop before.
public struct AttackBands: BitwiseCopyable {
    // SAFETY: the places live from `init` through `deallocate`, which the owner calls at its own end.
    /// The first bin of each band, and the end of the last.
    private let edges: UnsafeMutablePointer<Int32>
    private let energies: UnsafeMutablePointer<Float>
    private let isStruck: UnsafeMutablePointer<Bool>
    /// Hops since each band's latest attack.
    private let ages: UnsafeMutablePointer<Int>
    /// The band of each bin.
    private let bandOfBin: UnsafeMutablePointer<UInt8>
    private let bins: Int
    private let count: Int
    /// Whether any band has an attack.
    public private(set) var isAnyStruck = false
    /// Hops since a good part of all energy was in bands with an attack.
    private var age = AttackBands.old

    /// Bands of equal width on the ERB scale, and one below and one above them.
    private static var innerEdges: Int { 20 }
    /// A band's energy against the hop before, from which it is an attack.
    private static var jump: Float { @_noLocks get { 2.25 } }

    /// The same where the band had an attack already in the newest span: a decay is not to be taken apart.
    private static var nextJump: Float { @_noLocks get { 3.45 } }
    /// The share of all energy that makes an attack one of the whole frame.
    private static var great: Float { @_noLocks get { 0.1 } }
    /// Hops after which no attack is in the newest span any more, and in the window.
    private static var left: Int { @_noLocks get { 8 } }
    private static var old: Int { @_noLocks get { 32 } }

    /// Bands of silence.
    public init(_ lengths: ShiftLengths, sampleRate: Double) {
        bins = lengths.bins
        edges = .allocate(capacity: AttackBands.innerEdges + 2)
        energies = .allocate(capacity: AttackBands.innerEdges + 1)
        isStruck = .allocate(capacity: AttackBands.innerEdges + 1)
        ages = .allocate(capacity: AttackBands.innerEdges + 1)
        bandOfBin = .allocate(capacity: bins)
        edges.initialize(repeating: 0, count: AttackBands.innerEdges + 2)
        energies.initialize(repeating: 0, count: AttackBands.innerEdges + 1)
        ages.initialize(repeating: AttackBands.left, count: AttackBands.innerEdges + 1)
        isStruck.initialize(repeating: false, count: AttackBands.innerEdges + 1)
        bandOfBin.initialize(repeating: 0, count: bins)
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
        count = found
        for band in 0..<count {
            for bin in Int(edges[band])..<Int(edges[band + 1]) { bandOfBin[bin] = UInt8(band) }
        }
    }

    /// Edges from 60 Hz through 20 kHz, evenly spaced by 21.4 log10(1 + 0.00437 f).
    private static func edgeHertz(_ index: Int) -> Double {
        func erb(_ hertz: Double) -> Double { rt_log(1 + 0.00437 * hertz) }
        let share = Double(index) / Double(innerEdges - 1)
        return (rt_exp(erb(60) + share * (erb(20_000) - erb(60))) - 1) / 0.00437
    }

    /// Frees its memory.
    public func deallocate() {
        edges.deallocate()
        energies.deallocate()
        isStruck.deallocate()
        ages.deallocate()
        bandOfBin.deallocate()
    }

    /// Starts from silence.
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

    /// A band's energy; what is between coarse bins is taken as the mean of both.
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

    /// How much farther than twice the coarse bins below it a sum up to a fine bin reaches.
    @_noLocks
    private func reach(_ bin: Int, _ power: UnsafePointer<Float>) -> Float {
        guard bin > 0, bin < bins else { return 0 }
        return (bin % 2 == 0 ? 0.5 : -0.5) * power[bin / 2]
    }

    /// Takes the next hop's power spectrum.
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

    /// Whether the newest span of frames holds an attack that is not small beside all else.
    public var isInSpan: Bool { @_noLocks get { age < AttackBands.left } }
    /// Whether older frames under the window do.
    public var isInWindow: Bool { @_noLocks get { age < AttackBands.old } }

    /// The share of all energy that lies below a fine bin, a band's taken as spread evenly.
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

    /// Whether the band around a fine bin has an attack.
    @_noLocks
    public func isStruck(bin: Int) -> Bool { isStruck[Int(bandOfBin[bin])] }
}
