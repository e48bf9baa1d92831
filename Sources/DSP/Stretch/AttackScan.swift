internal import CRealtime
internal import Realtime

/// A detector of attacks in the input ring, one millisecond at a time: jumps of the energy of the
/// signal's first difference.
struct AttackScan: ~Copyable {
    private let lengths: StretchLengths
    /// The first frames of the attacks, ascending; a ring.
    private let firstFrames: Buffer<Int>
    private let capacity: Int
    /// The slot of attack 0, which is not 0 only in a replay.
    private var firstSlot = 0
    /// The energies of the latest blocks; a ring.
    private let energies: Buffer<Float>
    /// The samples of a block, preceded by one frame.
    private let samples: Buffer<Float>
    /// The largest difference among the channels, at each frame of a block.
    private let differences: Buffer<Float>
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
    /// An energy that no block reaches.
    private static var mostEnergy: Float { @_noLocks get { 1e24 } }
    /// A frame before all others, for attacks that a replay does not know.
    private static var unknownFrame: Int { @_noLocks get { -(1 << 60) } }

    /// Creates a scan without attacks.
    ///
    /// - Parameters:
    ///   - lengths: The lengths of blocks and attacks.
    ///   - ringFrames: The number of past frames for which attacks are kept.
    init(lengths: StretchLengths, ringFrames: Int) {
        self.lengths = lengths
        capacity = ringFrames / lengths.attackFrames + 4
        firstFrames = Buffer(count: capacity, repeating: 0)
        energies = Buffer(count: AttackScan.memoryBlocks, repeating: 0)
        samples = Buffer(count: lengths.blockFrames + 1, repeating: 0)
        differences = Buffer(count: lengths.blockFrames, repeating: 0)
    }

    /// Discards all attacks and scans from a frame on.
    @_noLocks
    mutating func reset(firstFrame: Int = 0) {
        foundCount = 0
        firstSlot = 0
        firstBlock = max(0, firstFrame) / lengths.blockFrames
        blockCount = firstBlock
        energies.fill(with: 0)
    }

    /// Returns the slot of an attack.
    @_noLocks @inline(__always)
    private func slot(of attack: Int) -> Int { (attack + firstSlot) % capacity }

    /// The first frame of the latest attack.
    private var lastFrame: Int {
        @_noLocks get {
            foundCount > 0 ? firstFrames[slot(of: foundCount - 1)] : -lengths.attackFrames
        }
    }

    /// The number of words of `note`.
    static var noteWords: Int { 4 + memoryBlocks / 2 }

    /// Writes the position of the scan, and the energies of the latest blocks.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(blockCount)
        notes.pointee.put(min(blockCount - firstBlock, AttackScan.memoryBlocks))
        notes.pointee.put(foundCount)
        notes.pointee.put(lastFrame)
        for pair in 0..<AttackScan.memoryBlocks / 2 {
            notes.pointee.put(energies[2 * pair], energies[2 * pair + 1])
        }
    }

    /// Continues from a noted position.
    ///
    /// - Parameters:
    ///   - notes: The notes.
    ///   - ring: The input.
    ///   - movedFrames: The difference between the new and the former numbers of its frames.
    @_noLocks
    mutating func follow(
        _ notes: UnsafeMutablePointer<StateNotes>, _ ring: borrowing CaptureRing, movedFrames: Int
    ) {
        let end = ring.writtenFrames / lengths.blockFrames
        blockCount = notes.pointee.pop(from: max(0, end - 64), through: end)
        firstBlock = blockCount - notes.pointee.pop(from: 0, through: AttackScan.memoryBlocks)
        if movedFrames != 0 {
            for index in 0..<capacity { firstFrames[index] &+= movedFrames }
        }
        let most = StretchEngine.mostFrames
        renumber(foundCount: notes.pointee.pop(from: 0, through: most))
        let last = notes.pointee.pop(from: -most, through: most)
        if foundCount > 0 { firstFrames[slot(of: foundCount - 1)] = last }
        for pair in 0..<AttackScan.memoryBlocks / 2 {
            let (first, second) = notes.pointee.popNumbers(within: AttackScan.mostEnergy)
            energies[2 * pair] = first
            energies[2 * pair + 1] = second
        }
    }

    /// Gives the attacks other numbers; the latest one remains the latest.
    @_noLocks
    private mutating func renumber(foundCount found: Int) {
        guard found != foundCount else { return }
        for attack in min(foundCount, capacity)..<capacity {
            firstFrames[slot(of: attack)] = AttackScan.unknownFrame
        }
        let moved = (firstSlot + foundCount % capacity - found % capacity) % capacity
        firstSlot = moved < 0 ? moved + capacity : moved
        foundCount = found
    }

    /// The attacks as parts of sound: two numbers for each first frame.
    var numbers: (start: UnsafeMutablePointer<Float>, count: Int) {
        @_noLocks get {
            // SAFETY: an integer is stored as the bits of two floats, which are only copied.
            let start = UnsafeMutableRawPointer(firstFrames.start)
                .assumingMemoryBound(to: Float.self)
            return (start, 2 * min(foundCount, capacity))
        }
    }

    /// Replaces attacks by noted ones.
    ///
    /// - Parameters:
    ///   - noted: Two numbers for each attack.
    ///   - count: The number of these numbers.
    ///   - first: The place of the first one among all numbers.
    func restore(_ noted: UnsafePointer<Float>, count: Int, from first: Int) {
        guard first >= 0, first <= 2 * capacity, count <= 2 * capacity - first else { return }
        for index in 0..<count / 2 {
            let (low, high) = (noted[2 * index].bitPattern, noted[2 * index + 1].bitPattern)
            let frame = Int(Int64(bitPattern: UInt64(low) | UInt64(high) << 32))
            // The search finds no earlier frame than it looks for, also if the frames of a replay
            // have no order.
            firstFrames[slot(of: first / 2 + index)] =
                frame >= 0 && frame <= StretchEngine.mostFrames ? frame : AttackScan.unknownFrame
        }
    }

    /// Scans the frames written to the ring since the last call.
    @_noLocks
    mutating func scan(_ ring: borrowing CaptureRing) {
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
            if firstFrames[slot(of: middle)] < frame { low = middle + 1 } else { high = middle }
        }
        return low < foundCount ? firstFrames[slot(of: low)] : -1
    }

    /// Returns the energy of the next block's differences, summed over the channels, and stores the
    /// differences.
    @_noLocks
    private func blockEnergy(_ ring: borrowing CaptureRing) -> Float {
        let count = lengths.blockFrames
        let (samples, differences) = (samples.start, differences.start)
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
        let frame = blockCount * lengths.blockFrames + onset()
        guard frame >= lastFrame + lengths.attackFrames else { return }
        firstFrames[slot(of: foundCount)] = frame
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
