internal import CRealtime

/// A detector of attacks in the input ring, one millisecond at a time: jumps of the energy of the
/// signal's first difference.
///
/// The scan does not free its memory automatically: its creator calls `deallocate`.
struct AttackScan: BitwiseCopyable {
    private let lengths: StretchLengths
    // SAFETY: the buffers are allocated in `init` and freed only in `deallocate`, which the owner
    // calls last.
    /// The first frames of the attacks, ascending; a ring.
    private let places: UnsafeMutablePointer<Int>
    private let capacity: Int
    /// The energies of the latest blocks; a ring.
    private let energies: UnsafeMutablePointer<Float>
    /// The samples of a block, preceded by one frame.
    private let samples: UnsafeMutablePointer<Float>
    /// The largest difference among the channels, at each frame of a block.
    private let differences: UnsafeMutablePointer<Float>
    /// The number of attacks found so far.
    private(set) var foundCount = 0
    private var blockCount = 0
    /// The first block that was scanned.
    private var firstBlock = 0

    /// The number of earlier blocks that an attack must exceed; longer than the period of a voice.
    private static var memoryBlocks: Int { @_noLocks get { 16 } }
    /// The rise of an attack above them: 5 dB.
    private static var rise: Float { @_noLocks get { 3.1623 } }
    /// The energy below which no block is an attack.
    private static var floor: Float { @_noLocks get { 1e-7 } }

    /// Creates a scan without attacks.
    ///
    /// - Parameters:
    ///   - lengths: The lengths of blocks and attacks.
    ///   - ringFrames: The number of past frames for which attacks are kept.
    init(lengths: StretchLengths, ringFrames: Int) {
        self.lengths = lengths
        capacity = ringFrames / lengths.attackFrames + 4
        places = .allocate(capacity: capacity)
        places.initialize(repeating: 0, count: capacity)
        energies = .allocate(capacity: AttackScan.memoryBlocks)
        energies.initialize(repeating: 0, count: AttackScan.memoryBlocks)
        samples = .allocate(capacity: lengths.blockFrames + 1)
        samples.initialize(repeating: 0, count: lengths.blockFrames + 1)
        differences = .allocate(capacity: lengths.blockFrames)
        differences.initialize(repeating: 0, count: lengths.blockFrames)
    }

    func deallocate() {
        places.deallocate()
        energies.deallocate()
        samples.deallocate()
        differences.deallocate()
    }

    /// Discards all attacks and scans from a frame on.
    @_noLocks
    mutating func reset(firstFrame: Int = 0) {
        foundCount = 0
        firstBlock = max(0, firstFrame) / lengths.blockFrames
        blockCount = firstBlock
        energies.update(repeating: 0, count: AttackScan.memoryBlocks)
    }

    /// Scans the frames written to the ring since the last call.
    @_noLocks
    mutating func scan(_ ring: CaptureRing) {
        while (blockCount + 1) * lengths.blockFrames <= ring.writtenFrames {
            judge(blockEnergy(ring))
            blockCount += 1
        }
    }

    /// Returns the first attack at or after a frame, or -1 if there is no such attack.
    @_noLocks
    func first(from frame: Int) -> Int {
        var low = max(0, foundCount - capacity)
        var high = foundCount
        while low < high {
            let middle = (low + high) / 2
            if places[middle % capacity] < frame { low = middle + 1 } else { high = middle }
        }
        return low < foundCount ? places[low % capacity] : -1
    }

    /// Returns the energy of the next block's differences, summed over the channels, and stores the
    /// differences.
    @_noLocks
    private func blockEnergy(_ ring: CaptureRing) -> Float {
        let count = lengths.blockFrames
        differences.update(repeating: 0, count: count)
        var energy: Float = 0
        for channel in 0..<ring.channelCount {
            ring.read(channel, from: blockCount * count - 1, count: count + 1, into: samples)
            for frame in 0..<count {
                let difference = samples[frame + 1] - samples[frame]
                energy += difference * difference
                differences[frame] = max(differences[frame], abs(difference))
            }
        }
        return energy
    }

    /// Records an attack if the energy of the next block rises far above the latest blocks.
    @_noLocks
    private mutating func judge(_ energy: Float) {
        var loudest: Float = 0
        for block in 0..<AttackScan.memoryBlocks { loudest = max(loudest, energies[block]) }
        energies[blockCount % AttackScan.memoryBlocks] = energy
        guard blockCount - firstBlock >= AttackScan.memoryBlocks,
            energy >= max(AttackScan.floor, AttackScan.rise * loudest)
        else { return }
        let place = blockCount * lengths.blockFrames + onset()
        let last = foundCount > 0 ? places[(foundCount - 1) % capacity] : -lengths.attackFrames
        guard place >= last + lengths.attackFrames else { return }
        places[foundCount % capacity] = place
        foundCount += 1
    }

    /// Returns the first frame of the block whose difference is at least half the largest.
    @_noLocks
    private func onset() -> Int {
        var largest: Float = 0
        for frame in 0..<lengths.blockFrames { largest = max(largest, differences[frame]) }
        var frame = 0
        while differences[frame] < 0.5 * largest { frame += 1 }
        return frame
    }
}
