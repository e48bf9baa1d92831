/// The time limits of a stream, and the size of its buffer.
public struct StreamLimits: Sendable, Equatable {
    /// The sound to buffer before playback starts, and after the buffer has run empty, in seconds.
    public var bufferSeconds = 2.0
    /// The capacity of the buffer in seconds; when it is full, the sender has to wait.
    public var longestBufferSeconds = 10.0
    /// The silence of a sender after which the connection counts as lost, in seconds.
    public var stallSeconds = 10.0
    /// The factor for `stallSeconds` if the server first sends everything before the seek position.
    public var seekFactor = 6.0
    /// The pause before the first reconnection, in seconds; each further pause is twice as long.
    public var firstPauseSeconds = 0.5
    /// The longest pause, in seconds.
    public var longestPauseSeconds = 30.0
    /// The number of failed reconnections in a row before a sound with an end is given up.
    public var attempts = 8
    /// The number of failed reconnections before the first sound; `nil` for no limit.
    public var attemptsBeforeSound: Int?

    /// Creates the limits for live use, which never give up a stream that may return.
    public init() {}

    /// The limits for an offline render, which must end.
    public static var offline: StreamLimits {
        var limits = StreamLimits()
        limits.attempts = 4
        limits.attemptsBeforeSound = 4
        return limits
    }

    /// Returns the pause before an attempt, in seconds; the first attempt has number 1.
    package func pauseSeconds(before attempt: Int) -> Double {
        var pause = firstPauseSeconds
        for _ in 1..<max(attempt, 1) where pause < longestPauseSeconds { pause *= 2 }
        return min(pause, longestPauseSeconds)
    }
}
