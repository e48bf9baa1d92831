/// The latest samples of a signal, to be read at any delay.
///
/// It owns its memory without freeing it: whoever made it calls `deallocate`.
public struct DelayLine: BitwiseCopyable {
    // SAFETY: the place lives from `init` through `deallocate`, which the owner calls at its own end.
    private let samples: UnsafeMutablePointer<Float>
    private let size: Int
    /// Where the next sample goes.
    private var position = 0
    /// How many of the samples went in since it was cleared; what is older counts as silence.
    private var heldFrames = 0

    /// A silent line that can be read up to `maximumFrames` back.
    public init(maximumFrames: Int) {
        size = max(maximumFrames, 1) + DelayTap.reach + 1
        // What a tap reads beyond the end is there a second time.
        samples = .allocate(capacity: size + 2 * DelayTap.reach)
        samples.initialize(repeating: 0, count: size + 2 * DelayTap.reach)
    }

    /// Frees its memory.
    public func deallocate() { samples.deallocate() }

    /// Forgets all it holds, at once however long it is.
    @_noLocks
    public mutating func clear() { heldFrames = 0 }

    /// What the tap hears before the next sample goes in: a delay of one frame is the sample that went in last.
    @_noLocks @inline(__always)
    public func read(_ tap: DelayTap) -> Float {
        guard tap.isFractional else {
            return tap.wholeFrames <= heldFrames ? samples[place(tap.wholeFrames)] : 0
        }
        let oldest = tap.wholeFrames + DelayTap.reach
        guard oldest <= heldFrames else { return readPartly(tap) }
        let window = UnsafeRawPointer(samples + place(oldest))
        return (window.loadUnaligned(as: SIMD16<Float>.self) * tap.weights).sum()
    }

    /// What a tap between frames hears while not all it reaches to has gone in.
    @_noLocks
    private func readPartly(_ tap: DelayTap) -> Float {
        var sum: Float = 0
        for index in 0..<2 * DelayTap.reach {
            let frames = tap.wholeFrames + DelayTap.reach - index
            if frames <= heldFrames { sum += samples[place(frames)] * tap.weights[index] }
        }
        return sum
    }

    /// Where the sample lies that went in this many frames ago.
    @_noLocks @inline(__always)
    private func place(_ frames: Int) -> Int {
        position < frames ? position - frames + size : position - frames
    }

    /// Puts the next sample in.
    @_noLocks @inline(__always)
    public mutating func push(_ sample: Float) {
        samples[position] = sample
        if position < 2 * DelayTap.reach { samples[size + position] = sample }
        position += 1
        if position == size { position = 0 }
        if heldFrames < size { heldFrames += 1 }
    }
}
