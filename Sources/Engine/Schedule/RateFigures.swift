/// What a schedule's sample rate means for the engine around it, worked out before it is played.
struct RateFigures: BitwiseCopyable {
    /// How long one schedule takes over from another.
    private static let exchangeSeconds = 0.03

    /// In Hz.
    let sampleRate: Float
    let exchangeFrames: Int32
    let limiter: Limiter.Timing
    let meters: Meters.Timing

    /// - Parameter sampleRate: In Hz.
    init(sampleRate: Double) {
        self.sampleRate = Float(sampleRate)
        exchangeFrames = Self.exchangeFrames(sampleRate: sampleRate)
        limiter = Limiter.Timing(sampleRate: sampleRate)
        meters = Meters.Timing(sampleRate: sampleRate)
    }

    /// How many frames one schedule takes to take over from another.
    static func exchangeFrames(sampleRate: Double) -> Int32 {
        Int32(Self.exchangeSeconds * sampleRate)
    }

    /// The frames of a fade, at least one.
    @_noLocks
    func frames(seconds: Float) -> Int32 { Int32(max(1, min(seconds * sampleRate, 1e9))) }
}
