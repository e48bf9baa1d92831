internal import CRealtime
public import Realtime

/// A reader of the stretched sound at the pitch ratio of an interval; it copies the sound if the
/// ratio is 1.
public struct StretchReader: ~Copyable {
    private let stepFrames: Int
    private let interpolator: SincInterpolator
    /// The position of each output frame of a step, relative to `wholeFrame`.
    private let positions: Buffer<Double>
    private var semitones: Ramp
    /// Output pitch divided by input pitch, at the end of the step.
    public private(set) var ratio = 1.0
    /// The frame of the stretched sound at which the step begins, and the fraction of a frame
    /// beyond it.
    public private(set) var wholeFrame = 0
    private var fraction = 0.0
    /// The position of the next step, relative to `wholeFrame`.
    private var end = 0.0
    private var isCopy = true

    // SAFETY: written once, before any reader can refer to it, and never freed.
    /// One table for all readers: it is slow to make and the same for each.
    nonisolated(unsafe) private static let sharedTable = SincTable(
        tapCount: 48, phaseCount: 1024, bandShare: 1, beta: 13)

    /// The distance per step that a reader may drift to get back onto whole frames: a third of a
    /// cent.
    private static var creepFrames: Double { @_noLocks get { 1.0 / 64 } }

    /// Creates a reader at rest.
    ///
    /// - Parameters:
    ///   - stepFrames: The number of frames per step.
    ///   - semitones: The initial interval.
    ///   - glideSteps: The length of a glide to a new interval, in steps.
    public init(stepFrames: Int, semitones: Float, glideSteps: Int) {
        self.stepFrames = stepFrames
        interpolator = Self.sharedTable.interpolator
        positions = Buffer(count: stepFrames, repeating: 0)
        self.semitones = Ramp(semitones, lengthFrames: glideSteps)
        updateRatio()
    }

    /// The number of frames needed from `endFrame` on, including that frame, since a slow reading
    /// may not have passed it.
    public var framesAfter: Int { @_noLocks get { interpolator.framesAfter + 1 } }

    /// The last whole frame of the step's reading position.
    public var endFrame: Int { @_noLocks get { wholeFrame + Int(end) } }

    /// The frame at which reading comes to rest if the ratio stays the same; a whole frame if the
    /// ratio is 1.
    public var restingFrame: Int {
        @_noLocks get { ratio == 1 && fraction >= 0.5 ? wholeFrame + 1 : wholeFrame }
    }

    /// The fraction of a frame by which the reader is beyond `restingFrame`.
    public var restingFraction: Double { @_noLocks get { ratio == 1 ? 0 : fraction } }

    /// Glides to another interval.
    @_noLocks
    public mutating func move(toSemitones value: Float) {
        if semitones.target != value { semitones.move(to: value) }
    }

    /// Whether the reader copies whole frames unchanged and will continue to do so.
    public var isCopying: Bool {
        @_noLocks get { semitones.isResting && ratio == 1 && fraction == 0 }
    }

    /// Rests at the target interval, at a frame of the stretched sound.
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

    /// Writes the position; between two steps.
    @_noLocks
    public func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(wholeFrame)
        notes.pointee.put(fraction)
    }

    /// Continues from a noted position; between two steps.
    @_noLocks
    public mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        let most = StretchEngine.mostFrames
        wholeFrame = notes.pointee.pop(from: -most, through: most)
        let noted = notes.pointee.popNumber(within: 1)
        fraction = noted >= 0 && noted < 1 ? noted : 0
    }

    /// Calculates the positions of the step's frames.
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
        let positions = positions.start
        for frame in 0..<stepFrames {
            let index = Double(frame)
            positions[frame] = fraction + index * start + bend * index * (index + 1)
        }
        end = fraction + count * from + creep + bend * count * (count + 1)
    }

    /// Moves to the beginning of the next step.
    @_noLocks
    public mutating func endStep() {
        let frames = rt_floor(end)
        wholeFrame += Int(frames)
        fraction = end - frames
        // Removes the rounding error of a position on a whole frame.
        if ratio == 1, min(fraction, 1 - fraction) < 1e-9 {
            if fraction > 0.5 { wholeFrame += 1 }
            fraction = 0
        }
    }

    /// Reads the frames of the step; `sound` points to `wholeFrame`.
    @_noLocks
    public func read(_ sound: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
        if isCopy {
            rt_copy(output, sound, Int64(stepFrames))
            return
        }
        let positions = positions.start
        for frame in 0..<stepFrames {
            let whole = Int(positions[frame])
            output[frame] = interpolator.value(
                sound + whole, fraction: positions[frame] - Double(whole))
        }
    }

    /// Returns the additional distance of this step towards a whole frame.
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
