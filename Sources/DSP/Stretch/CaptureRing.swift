internal import CRealtime

/// The latest frames of some channels, to be read by their number since the start.
///
/// It owns its memory without freeing it: whoever made it calls `deallocate`.
public struct CaptureRing: BitwiseCopyable {
    // SAFETY: the place lives from `init` through `deallocate`, which the owner calls at its own end.
    private let samples: UnsafeMutablePointer<Float>
    /// Signals side by side.
    public let channelCount: Int
    /// How many frames of the past are held.
    public let capacityFrames: Int
    /// How many frames went in so far, and so the number of the next one.
    public private(set) var writtenFrames = 0

    /// An empty ring.
    public init(channelCount: Int, capacityFrames: Int) {
        self.channelCount = channelCount
        self.capacityFrames = capacityFrames
        samples = .allocate(capacity: channelCount * capacityFrames)
        samples.initialize(repeating: 0, count: channelCount * capacityFrames)
    }

    /// Frees its memory.
    public func deallocate() { samples.deallocate() }

    /// Forgets all it holds, at once however long it is.
    @_noLocks
    public mutating func clear() { writtenFrames = 0 }

    /// The first frame that is still held.
    public var firstFrame: Int { @_noLocks get { max(0, writtenFrames - capacityFrames) } }

    /// Puts the next frames of all channels in, which lie `stride` apart, at most as many as are held.
    @_noLocks
    public mutating func write(_ input: UnsafePointer<Float>, stride: Int, count: Int) {
        let place = writtenFrames % capacityFrames
        let first = min(count, capacityFrames - place)
        for channel in 0..<channelCount {
            let ring = samples + channel * capacityFrames
            let from = input + channel * stride
            rt_copy(ring + place, from, Int64(first))
            rt_copy(ring, from + first, Int64(count - first))
        }
        writtenFrames += count
    }

    /// Blends other frames into what went in before, `framesBack` before the next one and as many as there are.
    ///
    /// - Parameters:
    ///   - input: The other frames, all channels.
    ///   - stride: How far the channels are apart in it.
    ///   - count: How many frames.
    ///   - framesBack: How far before the next frame the first of them goes.
    ///   - share: Of the other frames, at the first of them.
    ///   - shareStep: By how much it grows from frame to frame.
    @_noLocks
    public func blend(
        _ input: UnsafePointer<Float>, stride: Int, count: Int, framesBack: Int, share: Float,
        shareStep: Float
    ) {
        let start = writtenFrames - framesBack
        for channel in 0..<channelCount {
            let ring = samples + channel * capacityFrames
            for index in 0..<count where start + index >= firstFrame {
                let place = (start + index) % capacityFrames
                let now = share + shareStep * Float(index)
                ring[place] += (input[channel * stride + index] - ring[place]) * now
            }
        }
    }

    /// Copies frames of a channel; what is not held is silence.
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
        let place = first % capacityFrames
        let part = min(end - first, capacityFrames - place)
        rt_copy(output + (first - start), ring + place, Int64(part))
        rt_copy(output + (first - start + part), ring, Int64(end - first - part))
    }
}
