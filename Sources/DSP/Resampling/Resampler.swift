internal import CRealtime
internal import Realtime

/// A converter of sound to another sample rate: a sinc under a Kaiser window that, at 44.1 kHz,
/// passes 20 kHz and attenuates aliases by 130 dB.
///
/// The caller writes frames as they arrive and reads frames as needed; the channels of a frame are
/// interleaved. Output frame n is the sound at input frame n times the step. The position is exact
/// for rational ratios, however long the sound is. If the rates have a ratio of small integers,
/// each position between two frames has its own filter weights; otherwise the weights are
/// interpolated.
public struct Resampler: ~Copyable {
    /// The number of channels per frame.
    public let channelCount: Int
    /// The largest step that the filter supports, in input frames per output frame; a larger one
    /// would alias.
    public let highestStep: Double
    private let table: SincTable
    /// Whether each fractional position of the step has its own row in the interpolator.
    private let isExact: Bool
    private var step: ResamplingStep
    /// The capacity of each channel's buffer, in frames.
    private let capacityFrames: Int
    /// One channel after the other.
    private let sound: Buffer<Float>
    /// The input frame at or before the next output frame, and the fraction of a frame beyond it,
    /// in parts.
    private var frame = 0
    private var parts = 0
    /// The end of the frames in the buffer.
    private var endFrame = 0

    /// Creates a resampler from one rate to another.
    ///
    /// - Parameters:
    ///   - inputRate: The input rate in frames per second.
    ///   - outputRate: The output rate in frames per second, from 1/256 to 256 times the input
    ///     rate.
    ///   - channelCount: The number of channels, at least 1.
    public init(from inputRate: Double, to outputRate: Double, channelCount: Int) {
        let step = ResamplingStep(from: inputRate, to: outputRate)
        let size = ResamplingFilter(highestStep: step.frames)
        self.init(
            step, channelCount: channelCount,
            size: size.hasRoom(forRows: step.partCount) ? size : nil)
    }

    /// Creates a resampler whose step can change while it runs.
    ///
    /// - Parameters:
    ///   - highestStep: The largest step in input frames per output frame, up to 256. The filter
    ///     removes the frequencies that this step would alias, at smaller steps too.
    ///   - channelCount: The number of channels, at least 1.
    public init(highestStep: Double, channelCount: Int) {
        self.init(ResamplingStep(highestStep), channelCount: channelCount, size: nil)
    }

    /// Creates a resampler; `size` is the filter if every fractional position gets a row.
    private init(_ step: ResamplingStep, channelCount: Int, size: ResamplingFilter?) {
        self.channelCount = channelCount
        self.step = step
        isExact = size != nil
        let filter = size ?? ResamplingFilter(highestStep: step.frames)
        highestStep = step.frames
        table = filter.table(phaseCount: size == nil ? nil : step.partCount)
        capacityFrames = 2 * filter.tapCount + 2048
        sound = Buffer(count: channelCount * capacityFrames, repeating: 0)
        reset()
    }

    /// The number of input frames before the position of an output frame that contribute to it.
    public var framesBefore: Int { @_noLocks get { table.interpolator.framesBefore } }
    /// The number of input frames after the position of an output frame that must be written before
    /// it can be read: the look-ahead.
    public var framesAfter: Int { @_noLocks get { table.interpolator.framesAfter } }

    /// Discards all sound and starts again at the first input frame, with silence before it.
    @_noLocks
    public mutating func reset() {
        parts = 0
        clear(to: 0)
    }

    /// Discards all sound and continues at an output frame.
    ///
    /// - Parameter outputFrame: The index of the output frame, from 0, counted in the current step.
    /// - Returns: The input frame to write next.
    public mutating func reset(toOutputFrame outputFrame: Int) -> Int {
        let position = step.position(after: outputFrame)
        parts = position.parts
        clear(to: position.frame)
        return max(0, position.frame - framesBefore)
    }

    /// Clears the buffers and writes silence for the frames before the first one.
    @_noLocks
    private mutating func clear(to inputFrame: Int) {
        frame = framesBefore
        endFrame = max(0, framesBefore - inputFrame)
        for channel in 0..<channelCount {
            rt_clear(sound.start + channel * capacityFrames, Int64(endFrame))
        }
    }

    /// Changes the step from the next output frame on.
    ///
    /// - Parameter frames: Input frames per output frame, from 0 to `highestStep`.
    @_noLocks
    public mutating func move(toStep frames: Double) {
        let fraction = step.fraction(parts)
        step = ResamplingStep(min(max(0, frames), highestStep))
        parts = min(Int(fraction * Double(step.partCount)), step.partCount - 1)
    }
}

extension Resampler {
    /// Writes input frames.
    ///
    /// - Parameters:
    ///   - frames: The number of frames.
    ///   - samples: `frames` times `channelCount` interleaved samples; `nil` for silence.
    /// - Returns: The number of frames written, fewer if the buffer is full until more is read.
    ///   After a read that came short, there is room for at least 2048.
    @_noLocks
    public mutating func write(_ frames: Int, from samples: UnsafePointer<Float>?) -> Int {
        if endFrame + frames > capacityFrames { dropOldFrames() }
        let count = min(frames, capacityFrames - endFrame)
        for channel in 0..<channelCount {
            let end = sound.start + channel * capacityFrames + endFrame
            if let samples, channelCount == 1 {
                rt_copy(end, samples, Int64(count))
            } else if let samples {
                for index in 0..<count { end[index] = samples[index * channelCount + channel] }
            } else {
                rt_clear(end, Int64(count))
            }
        }
        endFrame += count
        return count
    }

    /// Reads output frames.
    ///
    /// - Parameters:
    ///   - frames: The number of frames wanted.
    ///   - samples: Room for `frames` times `channelCount` interleaved samples.
    /// - Returns: The number of frames read, fewer if more input must be written first.
    @_noLocks
    public mutating func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) -> Int {
        // Local copies: the compiler cannot rule out that the output memory overlaps this object.
        let (step, interpolator, isExact) = (step, table.interpolator, isExact)
        let (sound, stride) = (sound.start, capacityFrames)
        let (channelCount, lastFrame) = (channelCount, endFrame - framesAfter)
        var (frame, parts, count) = (frame, parts, 0)
        while count < frames, frame < lastFrame {
            for channel in 0..<channelCount {
                let position = sound + channel * stride + frame
                samples[count * channelCount + channel] =
                    isExact
                    ? interpolator.value(position, phase: parts)
                    : interpolator.value(position, fraction: step.fraction(parts))
            }
            (frame, parts) = step.next(frame, parts)
            count += 1
        }
        (self.frame, self.parts) = (frame, parts)
        return count
    }

    /// Moves the frames that are still needed to the front.
    @_noLocks
    private mutating func dropOldFrames() {
        let dropped = min(frame - framesBefore, endFrame)
        if dropped <= 0 { return }
        for channel in 0..<channelCount {
            let first = sound.start + channel * capacityFrames
            rt_move(first, first + dropped, Int64(endFrame - dropped))
        }
        frame -= dropped
        endFrame -= dropped
    }
}
