internal import CRealtime
internal import Realtime

/// A correction that gives a frame with an attack the loudness curve of its input, so that nothing
/// sounds ahead of the attack.
///
/// Regions that move apart or together no longer cancel each other in the time before the attack.
/// The energies of short blocks are reduced to the input's, with a gain that changes linearly from
/// the middle of one block to the middle of the next.
public struct AttackEnvelope: ~Copyable {
    /// The input's energies, block by block, followed by room for the gains.
    private let energies: Buffer<Float>
    private let lengths: ShiftLengths

    /// The energy, relative to the loudest block, below which a block is not part of the attack.
    private static var quiet: Float { @_noLocks get { 0.3 } }
    /// The energy, relative to the loudest block, that counts as silence: -90 dB.
    private static var least: Float { @_noLocks get { 1e-9 } }

    /// Creates an envelope of silence.
    public init(_ lengths: ShiftLengths) {
        self.lengths = lengths
        let count = 2 * lengths.spanFrames / lengths.stepFrames
        energies = Buffer(count: count, repeating: 0)
    }

    private var blocks: Int { @_noLocks get { lengths.spanFrames / lengths.stepFrames } }

    /// Returns the index of a block's first frame among `count` rotated frames.
    @_noLocks
    private func first(_ block: Int, of count: Int) -> Int {
        let frame = block * lengths.stepFrames - lengths.spanFrames / 2
        return frame < 0 ? frame + count : frame
    }

    /// Measures `count` windowed, rotated frames before they are transformed.
    @_noLocks
    public func measure(_ frames: UnsafePointer<Float>, count: Int) {
        // A forward and an inverse transform together multiply by their size.
        let scale = Float(count) * Float(count)
        for block in 0..<blocks {
            energies[block] =
                scale * energy(frames + first(block, of: count), count: lengths.stepFrames)
        }
    }

    /// Attenuates the output of the inverse transform where the input was almost silent, before and
    /// after the attack.
    @_noLocks
    public func restore(_ frames: UnsafeMutablePointer<Float>, count: Int) {
        let (energies, gains) = (energies.start, energies.start + blocks)
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

    /// Attenuates the output of the inverse transform if it is much louder than the input: an
    /// attack has left the span but not yet the window.
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

    /// Multiplies a block by a gain that ramps from the previous block's gain to the next one's.
    @_noLocks
    private func apply(_ block: Int, _ frames: UnsafeMutablePointer<Float>, _ count: Int) {
        let gain = energies.start + blocks
        let (before, here, after) = (
            gain[max(0, block - 1)], gain[block], gain[min(blocks - 1, block + 1)]
        )
        let half = lengths.stepFrames / 2
        ramp(frames + first(block, of: count), from: max(before, here), to: here, count: half)
        ramp(frames + first(block, of: count) + half, from: here, to: max(here, after), count: half)
    }
}
