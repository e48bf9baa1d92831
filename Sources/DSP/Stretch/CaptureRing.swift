internal import CRealtime

/// The latest frames of one or more channels, addressed by their number since the start.
public struct CaptureRing: ~Copyable {
    // SAFETY: the ring is the only owner of the memory, and frees it in `deinit`.
    private let samples: UnsafeMutablePointer<Float>
    /// The number of channels.
    public let channelCount: Int
    /// The number of past frames that the ring keeps.
    public let capacityFrames: Int
    /// The number of frames written so far, which is the number of the next frame.
    public private(set) var writtenFrames = 0
    /// The slot of frame 0, which is not 0 only in a replay.
    private var firstSlot = 0

    /// Creates an empty ring and ends the program if there is no memory; only for short rings.
    public init(channelCount: Int, capacityFrames: Int) {
        let (count, overflows) = channelCount.multipliedReportingOverflow(by: capacityFrames)
        guard !overflows, let samples = SampleMemory.zeros(count) else {
            fatalError("cannot allocate a frame ring: out of memory")
        }
        self.init(samples, channelCount, capacityFrames)
    }

    private init(_ samples: UnsafeMutablePointer<Float>, _ channelCount: Int, _ frames: Int) {
        self.samples = samples
        self.channelCount = channelCount
        capacityFrames = frames
    }

    /// Returns an empty ring, or `nil` if there is no memory for it.
    public static func allocated(channelCount: Int, capacityFrames: Int) -> CaptureRing? {
        let (count, overflows) = channelCount.multipliedReportingOverflow(by: capacityFrames)
        guard !overflows, let samples = SampleMemory.zeros(count) else { return nil }
        return CaptureRing(samples, channelCount, capacityFrames)
    }

    deinit { SampleMemory.free(samples) }

    /// Gives the frames that the ring has other numbers.
    ///
    /// - Parameter frames: The number of the next frame, at least 0.
    @_noLocks
    public mutating func renumber(writtenFrames frames: Int) {
        let slot = (slot(of: writtenFrames) - frames % capacityFrames) % capacityFrames
        firstSlot = slot < 0 ? slot + capacityFrames : slot
        writtenFrames = frames
    }

    /// Returns the slot of a frame.
    @_noLocks @inline(__always)
    private func slot(of frame: Int) -> Int { (frame + firstSlot) % capacityFrames }

    /// Discards all frames, in constant time.
    @_noLocks
    public mutating func clear() { writtenFrames = 0 }

    /// The first frame that the ring still has.
    public var firstFrame: Int { @_noLocks get { max(0, writtenFrames - capacityFrames) } }

    /// Writes the next frames of all channels, `stride` apart in the input; at most
    /// `capacityFrames`.
    @_noLocks
    public mutating func write(_ input: UnsafePointer<Float>, stride: Int, count: Int) {
        let start = slot(of: writtenFrames)
        let first = min(count, capacityFrames - start)
        for channel in 0..<channelCount {
            let ring = samples + channel * capacityFrames
            let from = input + channel * stride
            rt_copy(ring + start, from, Int64(first))
            rt_copy(ring, from + first, Int64(count - first))
        }
        writtenFrames += count
    }

    /// Blends other frames into the frames already written.
    ///
    /// - Parameters:
    ///   - input: The other frames, of all channels.
    ///   - stride: The distance between the channels in `input`.
    ///   - count: The number of frames.
    ///   - framesBack: The distance from the first blended frame to the next frame to be written.
    ///   - share: The share of the other frames at the first frame.
    ///   - shareStep: The growth of that share per frame.
    @_noLocks
    public func blend(
        _ input: UnsafePointer<Float>, stride: Int, count: Int, framesBack: Int, share: Float,
        shareStep: Float
    ) {
        let start = writtenFrames - framesBack
        for channel in 0..<channelCount {
            let ring = samples + channel * capacityFrames
            for index in 0..<count where start + index >= firstFrame {
                let slot = slot(of: start + index)
                let now = share + shareStep * Float(index)
                ring[slot] += (input[channel * stride + index] - ring[slot]) * now
            }
        }
    }

    /// Returns the frames of a channel, from one that the ring has, that lie one after the other in
    /// memory.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - frame: The first frame.
    ///   - count: The largest number of frames.
    /// - Returns: The first sample, and the number of samples.
    @_noLocks
    public func piece(
        _ channel: Int, from frame: Int, count: Int
    ) -> (start: UnsafePointer<Float>, count: Int) {
        let slot = slot(of: frame)
        let start = UnsafePointer(samples + channel * capacityFrames + slot)
        return (start, min(count, capacityFrames - slot))
    }

    /// Replaces a frame of a channel, if the ring has this frame; in a replay.
    public func replace(_ channel: Int, frame: Int, by sample: Float) {
        guard frame >= firstFrame, frame < writtenFrames else { return }
        samples[channel * capacityFrames + slot(of: frame)] = sample
    }

    /// Copies frames of a channel; frames that the ring does not have are silent.
    @_noLocks
    public func read(
        _ channel: Int, from start: Int, count: Int, into output: UnsafeMutablePointer<Float>
    ) {
        let first = min(max(start, firstFrame), start + count)
        let end = max(first, min(start + count, writtenFrames))
        rt_clear(output, Int64(first - start))
        rt_clear(output + (end - start), Int64(start + count - end))
        guard first < end else { return }
        let ring = samples + channel * capacityFrames
        let index = slot(of: first)
        let part = min(end - first, capacityFrames - index)
        rt_copy(output + (first - start), ring + index, Int64(part))
        rt_copy(output + (first - start + part), ring, Int64(end - first - part))
    }
}
