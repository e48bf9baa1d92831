/// The lengths of the parts of a time stretch, in frames; about the same in seconds at every rate.
public struct StretchLengths: BitwiseCopyable, Sendable {
    /// The unit of all lengths, in frames: 64 at 44.1 and 48 kHz, which is 1.3 ms.
    ///
    /// A hop is 8 steps with a window of 64 steps, and 16 steps with a window of 128.
    public let stepFrames: Int
    /// The length of the longest window and of the transform, in frames.
    public let transformFrames: Int

    /// The change of the spectrum within a hop up to which the long window stays in use.
    let longLimit: Float
    /// The change, measured through the short window, below which the long window comes back.
    let shortLimit: Float

    /// Creates the lengths for a sample rate.
    ///
    /// - Parameters:
    ///   - windowSteps: The longest window in steps, a power of two: 64 for live sound, 128 for
    ///     files.
    ///   - sampleRate: Frames per second.
    public init(windowSteps: Int, sampleRate: Double) {
        stepFrames = StretchLengths.stepFrames(sampleRate: sampleRate)
        transformFrames = windowSteps * stepFrames
        // Chosen from measurements of chords, guitars, drums and speech: the longer the window, the
        // less the beats of a chord change its spectrum. With 128 steps, a dense chord on a low
        // root has a change of 0.005, and of 0.02 and more for moments through the short window.
        (longLimit, shortLimit) = windowSteps > 64 ? (0.008, 0.024) : (0.012, 0.04)
    }

    /// Returns the length of a step at a sample rate, in frames.
    public static func stepFrames(sampleRate: Double) -> Int {
        switch sampleRate {
        case 144_000...: 256
        case 72_000...: 128
        case 32_000...: 64
        case 16_000...: 32
        default: 16
        }
    }

    /// The number of stages in the work of a hop.
    public static var stageCount: Int { @_noLocks get { 8 } }
    /// The distance from one output frame of the vocoder to the next.
    public var hopFrames: Int { @_noLocks get { transformFrames / StretchLengths.stageCount } }
    /// The block in which attacks are searched for: 1 ms.
    public var blockFrames: Int { @_noLocks get { stepFrames * 3 / 4 } }
    /// The fade-in of an attack's gate, before the attack: 1 ms.
    public var fadeInFrames: Int { @_noLocks get { blockFrames } }
    /// The time that the gate stays open: 10 ms.
    public var holdFrames: Int { @_noLocks get { stepFrames * 15 / 2 } }
    /// The fade-out of the gate: 20 ms.
    public var fadeOutFrames: Int { @_noLocks get { stepFrames * 15 } }
    /// The number of frames that are lifted out per attack.
    public var attackFrames: Int {
        @_noLocks get { fadeInFrames + holdFrames + fadeOutFrames }
    }
    /// The transform size that separates an attack from the sound before it.
    public var attackTransformFrames: Int { @_noLocks get { 32 * stepFrames } }
    /// The number of frames after a window's end that must be known so that every attack in the
    /// window is already lifted: the length of an attack, the stages of lifting, and one step.
    public var lookaheadFrames: Int { @_noLocks get { attackFrames + 5 * stepFrames } }
    /// The maximum distance that a return to rate 1 may move along the input to match the phase:
    /// 10 ms.
    public var alignmentFrames: Int { @_noLocks get { holdFrames } }
}
