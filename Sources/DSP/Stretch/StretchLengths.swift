/// How long the parts of a time stretch are, in frames; the same in seconds at every rate.
public struct StretchLengths: BitwiseCopyable, Sendable {
    /// The unit of all lengths: a hop is eight of them where the window is 64, sixteen where it is 128.
    ///
    /// 64 at 44.1 and 48 kHz, 1.3 ms.
    public let stepFrames: Int
    /// The longest window, and what is transformed.
    public let transformFrames: Int

    /// The change of the spectrum within a hop up to which the long window stays in use.
    let longLimit: Float
    /// The change, seen through the short window, below which the long one comes back.
    let shortLimit: Float

    /// Lengths at a rate.
    ///
    /// - Parameters:
    ///   - windowSteps: The longest window, a power of two: 64 for what is played live, 128 for files.
    ///   - sampleRate: Frames a second.
    public init(windowSteps: Int, sampleRate: Double) {
        stepFrames = StretchLengths.stepFrames(sampleRate: sampleRate)
        transformFrames = windowSteps * stepFrames
        // Chosen by what chords, guitars, drums and speech measure: the longer the window, the less a chord's beats change.
        // For 128 steps a dense chord on a low root has 0.005 and, seen through the short window, 0.02 and more for moments.
        (longLimit, shortLimit) = windowSteps > 64 ? (0.008, 0.024) : (0.012, 0.04)
    }

    /// The unit of lengths at a rate.
    public static func stepFrames(sampleRate: Double) -> Int {
        switch sampleRate {
        case 144_000...: 256
        case 72_000...: 128
        case 32_000...: 64
        case 16_000...: 32
        default: 16
        }
    }

    /// How many parts the work of a hop has.
    public static var stageCount: Int { @_noLocks get { 8 } }
    /// From one frame laid down to the next.
    public var hopFrames: Int { @_noLocks get { transformFrames / StretchLengths.stageCount } }
    /// In which attacks are looked for: 1 ms.
    public var blockFrames: Int { @_noLocks get { stepFrames * 3 / 4 } }
    /// How an attack's gate opens: 1 ms before it.
    public var fadeInFrames: Int { @_noLocks get { blockFrames } }
    /// How long the gate stays open: 10 ms.
    public var holdFrames: Int { @_noLocks get { stepFrames * 15 / 2 } }
    /// How the gate closes: 20 ms.
    public var fadeOutFrames: Int { @_noLocks get { stepFrames * 15 } }
    /// What is lifted out for an attack.
    public var attackFrames: Int {
        @_noLocks get { fadeInFrames + holdFrames + fadeOutFrames }
    }
    /// What is transformed to tell an attack from what sounded before.
    public var attackTransformFrames: Int { @_noLocks get { 32 * stepFrames } }
    /// What must be known after a window's end, so that every attack in it has been lifted out: its length, the stages of
    /// lifting, and a step.
    public var lookaheadFrames: Int { @_noLocks get { attackFrames + 5 * stepFrames } }
    /// How far a return to rate 1 may move along the input to fit in phase: 10 ms.
    public var landingFrames: Int { @_noLocks get { holdFrames } }
}
