internal import CRealtime
internal import Realtime

/// The attacks in the regions of a spectrum: a region whose power grows fast has one, and the group
/// delay around its peak tells where in the window it began.
struct RegionAttacks: ~Copyable {
    private let lengths: ShiftLengths
    private let struck: Buffer<Bool>
    /// The sum over the channels of X[k + 1] · conj X[k] around each peak with an attack.
    private let along: Buffer<Float>
    private let across: Buffer<Float>
    /// The place of the attack in each region, in transforms after the window's top.
    private let distances: Buffer<Float>
    /// The hops since the last attack of each region.
    private let ages: Buffer<Int32>
    private let oldPower: Buffer<Float>
    /// Whether there is an older spectrum to compare with.
    private(set) var isCompared = false
    /// The power of the regions with an attack, and of all, in this hop.
    private var struckPower: Float = 0
    private var wholePower: Float = 0
    /// The hops since an attack had a large share of the power.
    private var attackAge = RegionAttacks.longAgo

    /// The age of an attack that no longer matters, in hops.
    static var longAgo: Int32 { @_noLocks get { 99 } }
    /// The growth of a region's power in one hop that is an attack.
    private static var strike: Float { @_noLocks get { 4 } }
    /// The same growth while the span still contains the region's last attack: what grows then is
    /// usually the same attack, and its phase must stay.
    private static var nextStrike: Float { @_noLocks get { 12 } }
    /// The share of the power from which an attack concerns the whole frame.
    private static var great: Float { @_noLocks get { 0.1 } }

    /// Creates regions without attacks.
    init(_ lengths: ShiftLengths, capacity: Int) {
        self.lengths = lengths
        struck = Buffer(count: capacity, repeating: false)
        along = Buffer(count: capacity, repeating: 0)
        across = Buffer(count: capacity, repeating: 0)
        distances = Buffer(count: capacity, repeating: 0)
        ages = Buffer(count: capacity, repeating: 0)
        oldPower = Buffer(count: lengths.paddedBins, repeating: 0)
    }

    /// Restarts from silence.
    @_noLocks
    mutating func clear() {
        rt_clear(oldPower.start, Int64(oldPower.count))
        isCompared = false
        attackAge = RegionAttacks.longAgo
    }

    /// Writes the age of the latest attack.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(Int(attackAge) &* 2 + (isCompared ? 1 : 0))
    }

    /// Continues with a noted age.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        let word = notes.pointee.pop(from: 0, through: Int(RegionAttacks.longAgo) &* 2 + 1)
        attackAge = Int32(truncatingIfNeeded: word >> 1)
        isCompared = word & 1 != 0
    }

    /// The hops in which a frame is in the newest span.
    private var spanHops: Int32 {
        @_noLocks get { Int32(truncatingIfNeeded: lengths.spanFrames / lengths.hopFrames) }
    }

    /// Whether the newest span of frames contains an attack that is not small.
    var isInSpan: Bool { @_noLocks get { attackAge < spanHops } }
    /// Whether the frames under the window contain one.
    var isInWindow: Bool { @_noLocks get { Int(attackAge) < lengths.hopsPerTransform } }

    /// Begins a hop of a region.
    ///
    /// - Parameters:
    ///   - region: The region.
    ///   - age: The hops since the last attack at its peak.
    @_noLocks @inline(__always)
    func begin(_ region: Int, age: Int32) {
        ages[region] = age
        along[region] = 0
        across[region] = 0
    }

    /// Finds out whether a region has an attack in this hop.
    @_noLocks @inline(__always)
    mutating func find(_ region: Int, _ power: UnsafePointer<Float>, bins: Range<Int>) {
        var (now, before): (Float, Float) = (0, 0)
        var bin = bins.lowerBound
        while bin < bins.upperBound {
            now += power[bin]
            before += oldPower[bin]
            bin &+= 1
        }
        let growth =
            ages[region] < spanHops ? RegionAttacks.nextStrike : RegionAttacks.strike
        let isStruck = isCompared && now > growth * (before + 1e-16)
        struck[region] = isStruck
        ages[region] = isStruck ? 0 : min(ages[region] &+ 1, RegionAttacks.longAgo)
        wholePower += now
        if isStruck { struckPower += now }
    }

    /// Finds out, after all regions, whether an attack concerns the whole frame.
    @_noLocks
    mutating func settle() {
        let isGreat = struckPower > RegionAttacks.great * wholePower
        attackAge = isGreat ? 0 : min(attackAge &+ 1, RegionAttacks.longAgo)
        struckPower = 0
        wholePower = 0
    }

    /// Whether a region has an attack in this hop.
    @_noLocks @inline(__always)
    func isStruck(_ region: Int) -> Bool { struck[region] }

    /// The hops since the last attack of a region.
    @_noLocks @inline(__always)
    func age(_ region: Int) -> Int32 { ages[region] }

    /// Adds a channel's delay around the peak of a region with an attack.
    @_noLocks
    func measureDelay(_ region: Int, _ spectrum: SplitSpectrum, around peak: Int) {
        let (re, im) = (spectrum.real, spectrum.imaginary)
        for bin in max(0, peak - 3)..<min(lengths.bins - 1, peak + 3) {
            along[region] += re[bin + 1] * re[bin] + im[bin + 1] * im[bin]
            across[region] += im[bin + 1] * re[bin] - re[bin + 1] * im[bin]
        }
    }

    /// Finds the place of a region's attack from the delays of all channels.
    ///
    /// - Returns: The place, in transforms after the window's top.
    @_noLocks
    func locate(_ region: Int) -> Float {
        let size = Float(lengths.transformFrames)
        let (earliest, latest) = (
            -Float(lengths.spanFrames) / size, Float(lengths.spanFrames / 2) / size
        )
        let delay = -rt_angle(along[region], across[region])
        distances[region] = min(max(delay, earliest), latest)
        return distances[region]
    }

    /// The place of a region's attack, in transforms after the window's top.
    @_noLocks @inline(__always)
    func distance(_ region: Int) -> Float { distances[region] }

    /// Keeps the power that the next hop is compared with.
    @_noLocks
    mutating func remember(_ power: UnsafePointer<Float>) {
        rt_copy(oldPower.start, power, Int64(lengths.bins))
        isCompared = true
    }
}
