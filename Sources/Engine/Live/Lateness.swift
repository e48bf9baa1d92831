/// How long a cycle took that took longer than it lasts, in periods.
public struct Lateness: BitwiseCopyable, Sendable, Equatable {
    /// By the clock.
    public var periods: Float
    /// What the audio thread was at work for, as far as the system knows: the rest of the time, its processor had other
    /// things to do.
    public var workedPeriods: Float

    /// - Parameters:
    ///   - periods: By the clock.
    ///   - workedPeriods: What the audio thread was at work for.
    public init(periods: Float, workedPeriods: Float) {
        self.periods = periods
        self.workedPeriods = workedPeriods
    }

    /// Whether the work alone was too much for the period.
    public var isOverworked: Bool { workedPeriods > 1 }
}
