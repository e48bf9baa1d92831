/// The figures that the engine derives from a schedule's sample rate, calculated before the
/// schedule runs.
struct RateFigures: BitwiseCopyable {
    /// The duration of the crossfade from one schedule to another.
    private static let exchangeSeconds = 0.03

    /// In Hz.
    let sampleRate: Float
    let exchangeFrames: Int32
    let limiter: Limiter.Timing
    let meters: Meters.Timing

    /// Calculates the figures for a sample rate.
    ///
    /// - Parameter sampleRate: In Hz.
    init(sampleRate: Double) {
        self.sampleRate = Float(sampleRate)
        exchangeFrames = Self.exchangeFrames(sampleRate: sampleRate)
        limiter = Limiter.Timing(sampleRate: sampleRate)
        meters = Meters.Timing(sampleRate: sampleRate)
    }

    /// Returns the length of the crossfade from one schedule to another, in frames.
    static func exchangeFrames(sampleRate: Double) -> Int32 {
        Int32(Self.exchangeSeconds * sampleRate)
    }

    /// Returns the length of a fade in frames, at least 1.
    @_noLocks
    func frames(seconds: Float) -> Int32 { Int32(max(1, min(seconds * sampleRate, 1e9))) }
}
