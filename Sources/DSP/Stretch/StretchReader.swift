internal import CRealtime
internal import Realtime

/// Reads the stretched sound at steps of the interval's ratio, and where that is 1 as it is.
///
/// It owns its memory without freeing it: whoever made it calls `deallocate`.
public struct StretchReader: BitwiseCopyable {
    private let stepFrames: Int
    private let interpolator: SincInterpolator
    // SAFETY: the place lives from `init` through `deallocate`, which the owner calls at its own end.
    /// Where each frame of a step is read, against `wholeFrame`.
    private let places: UnsafeMutablePointer<Double>
    private var semitones: Ramp
    /// Output pitch over input pitch, at the end of the step.
    public private(set) var ratio = 1.0
    /// Where the step begins on the stretched sound, and how far behind that frame.
    public private(set) var wholeFrame = 0
    private var fraction = 0.0
    /// Where the next step begins, against `wholeFrame`.
    private var end = 0.0
    private var isCopy = true

    // SAFETY: written once, before anybody has it, and never freed.
    /// One table for all readers: it takes long to make, and is the same for each.
    nonisolated(unsafe) private static let sharedInterpolator = SincInterpolator(
        tapCount: 48, phaseCount: 1024, bandShare: 1, beta: 13)

    /// How far a step may shift the reading to come back onto whole frames: a third of a cent.
    private static var creepFrames: Double { @_noLocks get { 1.0 / 64 } }

    /// A reader at rest.
    ///
    /// - Parameters:
    ///   - stepFrames: Frames read at once.
    ///   - semitones: The interval at first.
    ///   - glideSteps: How many steps it takes to a new one.
    public init(stepFrames: Int, semitones: Float, glideSteps: Int) {
        self.stepFrames = stepFrames
        interpolator = Self.sharedInterpolator
        places = .allocate(capacity: stepFrames)
        places.initialize(repeating: 0, count: stepFrames)
        self.semitones = Ramp(semitones, lengthFrames: glideSteps)
        updateRatio()
    }

    /// Frees its memory.
    public func deallocate() { places.deallocate() }

    /// Frames that must be there from `endFrame` on: that one too, since a slow reading may not have left it.
    public var framesAfter: Int { @_noLocks get { interpolator.framesAfter + 1 } }

    /// The last frame that the step reads at.
    public var endFrame: Int { @_noLocks get { wholeFrame + Int(end) } }

    /// Where reading comes to rest if the ratio stays: on a frame where it is 1.
    public var restingFrame: Int {
        @_noLocks get { ratio == 1 && fraction >= 0.5 ? wholeFrame + 1 : wholeFrame }
    }

    /// How far behind `restingFrame` it reads.
    public var restingFraction: Double { @_noLocks get { ratio == 1 ? 0 : fraction } }

    /// Glides to another interval.
    @_noLocks
    public mutating func move(toSemitones value: Float) {
        if semitones.target != value { semitones.move(to: value) }
    }

    /// Whether it reads whole frames as they are, and goes on so.
    public var isCopying: Bool {
        @_noLocks get { semitones.isResting && ratio == 1 && fraction == 0 }
    }

    /// Rests at its target, at a frame of the stretched sound.
    @_noLocks
    public mutating func reset(frame: Int) { reset(frame: frame, semitones: semitones.target) }

    /// Rests at an interval, at a frame of the stretched sound.
    @_noLocks
    public mutating func reset(frame: Int, semitones value: Float) {
        semitones.snap(to: value)
        updateRatio()
        wholeFrame = frame
        fraction = 0
        end = 0
    }

    /// Works out where the step's frames are read.
    @_noLocks
    public mutating func beginStep() {
        let from = ratio
        if !semitones.isResting {
            _ = semitones.next()
            updateRatio()
        }
        isCopy = from == 1 && ratio == 1 && fraction == 0
        let count = Double(stepFrames)
        let creep = from == 1 && ratio == 1 ? creepToWhole() : 0
        let start = from + creep / count
        let bend = (ratio - from) / (2 * count)
        for frame in 0..<stepFrames {
            let index = Double(frame)
            places[frame] = fraction + index * start + bend * index * (index + 1)
        }
        end = fraction + count * from + creep + bend * count * (count + 1)
    }

    /// Goes to where the next step begins.
    @_noLocks
    public mutating func endStep() {
        let frames = rt_floor(end)
        wholeFrame += Int(frames)
        fraction = end - frames
        // What rounding leaves of a place on a frame.
        if ratio == 1, min(fraction, 1 - fraction) < 1e-9 {
            if fraction > 0.5 { wholeFrame += 1 }
            fraction = 0
        }
    }

    /// Reads the step's frames; the sound's pointer is at `wholeFrame`.
    @_noLocks
    public func read(_ sound: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
        if isCopy {
            rt_copy(output, sound, Int64(stepFrames))
            return
        }
        for frame in 0..<stepFrames {
            let whole = Int(places[frame])
            output[frame] = interpolator.value(
                sound + whole, fraction: places[frame] - Double(whole))
        }
    }

    /// How far this step goes beyond its frames to end on a whole one.
    @_noLocks
    private func creepToWhole() -> Double {
        let wanted = fraction < 0.5 ? -fraction : 1 - fraction
        return min(max(wanted, -StretchReader.creepFrames), StretchReader.creepFrames)
    }

    @_noLocks
    private mutating func updateRatio() {
        ratio = semitones.value == 0 ? 1 : rt_exp2(Double(semitones.value) / 12)
    }
}
