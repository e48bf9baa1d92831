/// The automatic limits of a recorder, in frames.
struct RecorderLimits: BitwiseCopyable, Sendable {
    let sampleRate: Double
    /// The length of the sound before the start of a take that belongs to the take.
    let preRollFrames: Int
    /// The amplitude above which writing starts; `nil` to start immediately.
    let threshold: Float?
    /// The time below the threshold after which writing pauses.
    let holdFrames: Int
    /// The maximum length of a take.
    let maximumFrames: Int

    /// A length that is never reached, and far from overflow.
    static let endless = Int.max / 4
}
