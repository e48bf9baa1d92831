/// The latest samples of a signal, to be read at any delay.
///
/// It owns its memory without freeing it: whoever made it calls `deallocate`.
public struct DelayLine: BitwiseCopyable {
    // SAFETY: the place lives from `init` through `deallocate`, which the owner calls at its own end.
    private let samples: UnsafeMutablePointer<Float>
    private let size: Int
    /// Where the next sample goes.
    private var position = 0

    /// A silent line that can be read up to `maximumFrames` back.
    public init(maximumFrames: Int) {
        size = max(maximumFrames, 1) + DelayTap.reach + 1
        // What a tap reads beyond the end is there a second time.
        samples = .allocate(capacity: size + 2 * DelayTap.reach)
        samples.initialize(repeating: 0, count: size + 2 * DelayTap.reach)
    }

    /// Frees its memory.
    public func deallocate() { samples.deallocate() }

    /// Forgets all it holds.
    @_noLocks
    public mutating func clear() {
        samples.update(repeating: 0, count: size + 2 * DelayTap.reach)
        position = 0
    }

    /// What the tap hears before the next sample goes in: a delay of one frame is the sample that went in last.
    @_noLocks @inline(__always)
    public func read(_ tap: DelayTap) -> Float {
        var start = position - tap.wholeFrames
        guard tap.isFractional else { return samples[start < 0 ? start + size : start] }
        start -= DelayTap.reach
        let window = UnsafeRawPointer(samples + (start < 0 ? start + size : start))
        return (window.loadUnaligned(as: SIMD16<Float>.self) * tap.weights).sum()
    }

    /// Puts the next sample in.
    @_noLocks @inline(__always)
    public mutating func push(_ sample: Float) {
        samples[position] = sample
        if position < 2 * DelayTap.reach { samples[size + position] = sample }
        position += 1
        if position == size { position = 0 }
    }
}
