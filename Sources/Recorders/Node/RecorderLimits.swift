/// What a recorder is to do by itself, in frames.
struct RecorderLimits: BitwiseCopyable, Sendable {
    let sampleRate: Double
    /// What was heard before the start that belongs to it.
    let preRollFrames: Int
    /// The amplitude beyond which writing starts; nil where nothing is waited for.
    let threshold: Float?
    /// How long it may stay below the threshold.
    let holdFrames: Int
    /// How long a take may be.
    let maximumFrames: Int

    /// Longer than anything lasts, and far from overflow.
    static let endless = Int.max / 4
}
