internal import CRealtime

/// Sound at another rate: a sinc under Kaiser's window, 20 kHz of 44.1 kHz let through, 130 dB below it what folds.
///
/// Frames are written as they come and read as they are wanted, all channels of a frame side by side. Output frame n is
/// the sound at input frame n times the step, to the last bit of the ratio, however long it plays. Where the rates have
/// a ratio of small numbers, each place between two frames has weights of its own; elsewhere they are interpolated.
public struct Resampler: ~Copyable {
    /// Channels of each frame.
    public let channelCount: Int
    /// The largest step that the filter is made for: above it, what is too high for the output folds.
    public let highestStep: Double
    private let interpolator: SincInterpolator
    /// Whether each part of the step's frames is a row of the interpolator's.
    private let isExact: Bool
    private var step: ResamplingStep
    /// Frames that there is room for.
    private let capacityFrames: Int
    // SAFETY: the place lives as long as this object, which alone refers to it.
    /// One channel after the other.
    private let sound: UnsafeMutablePointer<Float>
    /// The frame that the next output frame lies at or behind, and by how many parts of one.
    private var frame = 0
    private var parts = 0
    /// Frames that are there.
    private var endFrame = 0

    /// A resampler from one rate to another, at its beginning.
    ///
    /// - Parameters:
    ///   - inputRate: Frames a second.
    ///   - outputRate: Frames a second, from a 256th through 256 times the input's.
    ///   - channelCount: At least 1.
    public init(from inputRate: Double, to outputRate: Double, channelCount: Int) {
        let step = ResamplingStep(from: inputRate, to: outputRate)
        let size = ResamplingFilter(highestStep: step.frames)
        self.init(
            step, channelCount: channelCount,
            size: size.hasRoom(forRows: step.partCount) ? size : nil)
    }

    /// A resampler whose step can be changed while it plays.
    ///
    /// - Parameters:
    ///   - highestStep: The largest, in input frames an output frame, up to 256: what it would fold is taken off at
    ///     all others too.
    ///   - channelCount: At least 1.
    public init(highestStep: Double, channelCount: Int) {
        self.init(ResamplingStep(highestStep), channelCount: channelCount, size: nil)
    }

    /// `size` is the filter's, where each part of the step's frames gets a row.
    private init(_ step: ResamplingStep, channelCount: Int, size: ResamplingFilter?) {
        self.channelCount = channelCount
        self.step = step
        isExact = size != nil
        let filter = size ?? ResamplingFilter(highestStep: step.frames)
        highestStep = step.frames
        interpolator = filter.interpolator(phaseCount: size == nil ? nil : step.partCount)
        capacityFrames = 2 * interpolator.tapCount + 2048
        sound = zeros(channelCount * capacityFrames)
        reset()
    }

    deinit {
        interpolator.deallocate()
        sound.deallocate()
    }

    /// Frames of input before the place of an output frame that shape it.
    public var framesBefore: Int { @_noLocks get { interpolator.framesBefore } }
    /// Frames of input after the place of an output frame that must be written before it can be read: its look-ahead.
    public var framesAfter: Int { @_noLocks get { interpolator.framesAfter } }

    /// Forgets all sound; what is written next is the beginning, with silence before it.
    @_noLocks
    public mutating func reset() {
        parts = 0
        clear(to: 0)
    }

    /// Forgets all sound; what is read next is an output frame of the whole.
    ///
    /// - Parameter outputFrame: From 0 up, counted in the present step.
    /// - Returns: The input frame that has to be written next.
    public mutating func reset(toOutputFrame outputFrame: Int) -> Int {
        let place = step.position(after: outputFrame)
        parts = place.parts
        clear(to: place.frame)
        return max(0, place.frame - framesBefore)
    }

    /// Silence where frames before the first would be.
    @_noLocks
    private mutating func clear(to inputFrame: Int) {
        frame = framesBefore
        endFrame = max(0, framesBefore - inputFrame)
        for channel in 0..<channelCount {
            rt_clear(sound + channel * capacityFrames, Int64(endFrame))
        }
    }

    /// Changes the step from the next output frame on.
    ///
    /// - Parameter frames: Input frames an output frame, from 0 through `highestStep`.
    @_noLocks
    public mutating func move(toStep frames: Double) {
        let place = step.fraction(parts)
        step = ResamplingStep(min(max(0, frames), highestStep))
        parts = min(Int(place * Double(step.partCount)), step.partCount - 1)
    }
}

extension Resampler {
    /// Takes frames.
    ///
    /// - Parameters:
    ///   - frames: How many there are.
    ///   - samples: `frames` times `channelCount`, channel beside channel; nil for silence.
    /// - Returns: How many were taken: fewer where it is full, until more is read. After a reading that came short, it
    ///   takes 2048 at least.
    @_noLocks
    public mutating func write(_ frames: Int, from samples: UnsafePointer<Float>?) -> Int {
        if endFrame + frames > capacityFrames { dropOldFrames() }
        let count = min(frames, capacityFrames - endFrame)
        for channel in 0..<channelCount {
            let place = sound + channel * capacityFrames + endFrame
            if let samples, channelCount == 1 {
                rt_copy(place, samples, Int64(count))
            } else if let samples {
                for index in 0..<count { place[index] = samples[index * channelCount + channel] }
            } else {
                rt_clear(place, Int64(count))
            }
        }
        endFrame += count
        return count
    }

    /// Gives frames.
    ///
    /// - Parameters:
    ///   - frames: How many are wanted.
    ///   - samples: Room for `frames` times `channelCount`, channel beside channel.
    /// - Returns: How many were given: fewer where more has to be written first.
    @_noLocks
    public mutating func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) -> Int {
        // Copies, since whatever is written to might be this object, for all that the compiler knows.
        let (step, interpolator, isExact, stride) = (step, interpolator, isExact, capacityFrames)
        let (channelCount, lastFrame) = (channelCount, endFrame - framesAfter)
        var (frame, parts, count) = (frame, parts, 0)
        while count < frames, frame < lastFrame {
            for channel in 0..<channelCount {
                let place = sound + channel * stride + frame
                samples[count * channelCount + channel] =
                    isExact
                    ? interpolator.value(place, phase: parts)
                    : interpolator.value(place, fraction: step.fraction(parts))
            }
            (frame, parts) = step.next(frame, parts)
            count += 1
        }
        (self.frame, self.parts) = (frame, parts)
        return count
    }

    /// Moves what is still needed to the front.
    @_noLocks
    private mutating func dropOldFrames() {
        let dropped = min(frame - framesBefore, endFrame)
        if dropped <= 0 { return }
        for channel in 0..<channelCount {
            let place = sound + channel * capacityFrames
            rt_move(place, place + dropped, Int64(endFrame - dropped))
        }
        frame -= dropped
        endFrame -= dropped
    }
}
