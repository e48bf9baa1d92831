/// The latest samples of a signal, readable at any delay.
public struct DelayLine: ~Copyable {
    // SAFETY: the line is the only owner of the memory, and frees it in `deinit`.
    private let samples: UnsafeMutablePointer<Float>
    private let size: Int
    /// The index of the next sample.
    private var position = 0
    /// The number of samples written since the line was cleared; older samples count as silence.
    private var heldFrames = 0

    /// Creates a silent line that can be read up to `maximumFrames` back.
    ///
    /// It ends the program if there is no memory, so use it only for short lines.
    public init(maximumFrames: Int) {
        // `self = line` with an allocated line would be shorter, but Embedded Swift 6.3 then frees
        // the line twice.
        guard let samples = SampleMemory.zeros(Self.sampleCount(maximumFrames: maximumFrames))
        else {
            fatalError("cannot allocate a delay line: out of memory")
        }
        self.init(samples, size: Self.size(maximumFrames: maximumFrames))
    }

    private init(_ samples: UnsafeMutablePointer<Float>, size: Int) {
        self.samples = samples
        self.size = size
    }

    /// Returns a silent line that can be read up to `maximumFrames` back, or `nil` if there is no
    /// memory for it.
    public static func allocated(maximumFrames: Int) -> DelayLine? {
        guard let samples = SampleMemory.zeros(sampleCount(maximumFrames: maximumFrames)) else {
            return nil
        }
        return DelayLine(samples, size: size(maximumFrames: maximumFrames))
    }

    deinit { SampleMemory.free(samples) }

    /// Returns the number of samples that a line allocates.
    public static func sampleCount(maximumFrames: Int) -> Int {
        // The samples that a tap reads beyond the end are stored a second time.
        size(maximumFrames: maximumFrames) + 2 * DelayTap.reach
    }

    private static func size(maximumFrames: Int) -> Int {
        max(maximumFrames, 1) + DelayTap.reach + 1
    }

    /// Discards all samples, in constant time.
    @_noLocks
    public mutating func clear() { heldFrames = 0 }

    /// Returns the value of a tap before the next sample is written: a delay of one frame is the
    /// last sample written.
    @_noLocks @inline(__always)
    public func read(_ tap: DelayTap) -> Float {
        guard tap.isFractional else {
            return tap.wholeFrames <= heldFrames ? samples[index(tap.wholeFrames)] : 0
        }
        let oldest = tap.wholeFrames + DelayTap.reach
        guard oldest <= heldFrames else { return readPartly(tap) }
        let window = UnsafeRawPointer(samples + index(oldest))
        return (window.loadUnaligned(as: SIMD16<Float>.self) * tap.weights).sum()
    }

    /// Returns the value of a fractional tap while some of its samples are not yet written.
    @_noLocks
    private func readPartly(_ tap: DelayTap) -> Float {
        var sum: Float = 0
        for lane in 0..<2 * DelayTap.reach {
            let frames = tap.wholeFrames + DelayTap.reach - lane
            if frames <= heldFrames { sum += samples[index(frames)] * tap.weights[lane] }
        }
        return sum
    }

    /// Returns the index of the sample written this many frames ago.
    @_noLocks @inline(__always)
    private func index(_ frames: Int) -> Int {
        position < frames ? position - frames + size : position - frames
    }

    /// Writes the next sample.
    @_noLocks @inline(__always)
    public mutating func push(_ sample: Float) {
        samples[position] = sample
        if position < 2 * DelayTap.reach { samples[size + position] = sample }
        position += 1
        if position == size { position = 0 }
        if heldFrames < size { heldFrames += 1 }
    }
}
