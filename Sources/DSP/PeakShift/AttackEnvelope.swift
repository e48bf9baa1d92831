internal import CRealtime

/// Gives a frame that holds an attack the course of loudness that its input has, so that nothing sounds ahead of the attack.
///
/// Regions that move apart or together no longer cancel each other where they did before the attack. The energies of short
/// blocks are brought back to what they were, with a gain that goes straight from one block's middle to the next one's.
public struct AttackEnvelope: BitwiseCopyable {
    // SAFETY: the place lives from `init` through `deallocate`, which the owner calls at its own end.
    /// The input's energies, block by block, and after them room for the gains.
    private let energies: UnsafeMutablePointer<Float>
    private let lengths: ShiftLengths

    /// Energy against the loudest block's below which a block counts as silent but for it.
    private static var quiet: Float { @_noLocks get { 0.3 } }
    /// Energy against the whole frame's that counts as none: -90 dB.
    private static var least: Float { @_noLocks get { 1e-9 } }

    /// An envelope of silence.
    public init(_ lengths: ShiftLengths) {
        self.lengths = lengths
        let count = 2 * lengths.spanFrames / lengths.stepFrames
        energies = .allocate(capacity: count)
        energies.initialize(repeating: 0, count: count)
    }

    /// Frees its memory.
    public func deallocate() { energies.deallocate() }

    private var blocks: Int { @_noLocks get { lengths.spanFrames / lengths.stepFrames } }

    /// Where a block lies in so many frames that are turned round.
    @_noLocks
    private func first(_ block: Int, of count: Int) -> Int {
        let place = block * lengths.stepFrames - lengths.spanFrames / 2
        return place < 0 ? place + count : place
    }

    /// Takes in so many windowed frames, turned round, as they go into the transform.
    @_noLocks
    public func measure(_ frames: UnsafePointer<Float>, count: Int) {
        // There and back, the transforms multiply by their size.
        let scale = Float(count) * Float(count)
        for block in 0..<blocks {
            energies[block] =
                scale * energy(frames + first(block, of: count), count: lengths.stepFrames)
        }
    }

    /// Quietens what the inverse transform gave for the frame where its input was all but silent: ahead of the attack and behind.
    @_noLocks
    public func restore(_ frames: UnsafeMutablePointer<Float>, count: Int) {
        let gains = energies + blocks
        var loudest: Float = 0
        for block in 0..<blocks {
            gains[block] = energy(frames + first(block, of: count), count: lengths.stepFrames)
            loudest = max(loudest, energies[block])
        }
        guard loudest > 0 else { return subdue(frames, count: count) }
        let least = AttackEnvelope.least * loudest
        var (start, end) = (0, blocks)
        while energies[start] < AttackEnvelope.quiet * loudest { start += 1 }
        while energies[end - 1] < AttackEnvelope.quiet * loudest { end -= 1 }
        for block in 0..<blocks {
            let room: Float = block < start ? 1 : block >= end ? 4 : .greatestFiniteMagnitude
            let wanted = room * (energies[block] + least)
            gains[block] =
                wanted < gains[block] ? Float(rt_sqrt(Double(wanted / gains[block]))) : 1
        }
        for block in 0..<blocks { apply(block, frames, count) }
    }

    /// Quietens what the inverse transform gave where it is much louder than the input: an attack that the span has left behind
    /// but not the window.
    @_noLocks
    public func subdue(_ frames: UnsafeMutablePointer<Float>, count: Int) {
        var (total, newTotal): (Float, Float) = (0, 0)
        for block in 0..<blocks {
            total += energies[block]
            newTotal += energy(frames + first(block, of: count), count: lengths.stepFrames)
        }
        guard newTotal > 4 * total else { return }
        let gain = Float(rt_sqrt(Double(4 * total / newTotal)))
        for block in 0..<blocks {
            ramp(frames + first(block, of: count), from: gain, to: gain, count: lengths.stepFrames)
        }
    }

    /// Multiplies a block by a gain that comes from the block before and goes to the next.
    @_noLocks
    private func apply(_ block: Int, _ frames: UnsafeMutablePointer<Float>, _ count: Int) {
        let gain = energies + blocks
        let (before, here, after) = (
            gain[max(0, block - 1)], gain[block], gain[min(blocks - 1, block + 1)]
        )
        let half = lengths.stepFrames / 2
        ramp(frames + first(block, of: count), from: max(before, here), to: here, count: half)
        ramp(frames + first(block, of: count) + half, from: here, to: max(here, after), count: half)
    }
}
