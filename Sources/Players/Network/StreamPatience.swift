/// How long a stream is waited for, and how much of it is kept.
public struct StreamPatience: Sendable, Equatable {
    /// How much sound has to be there before it plays, and again where it has run out.
    public var bufferSeconds = 2.0
    /// How much sound is kept at most; beyond that the sender has to wait.
    public var longestBufferSeconds = 10.0
    /// How long nothing may come before the connection counts as lost.
    public var stallSeconds = 10.0
    /// What that is multiplied by where all before a place has to come first.
    public var seekFactor = 6.0
    /// How long it waits before it connects again for the first time; each further wait is twice as long.
    public var firstPauseSeconds = 0.5
    /// The longest wait.
    public var longestPauseSeconds = 30.0
    /// How often it connects again in vain where the sound has an end, before it gives up.
    public var attempts = 8
    /// How often it connects again in vain before there was any sound; nil is for ever.
    public var attemptsBeforeSound: Int?

    /// What suits the stage: never give up on what may come back.
    public init() {}

    /// What suits a render: somebody waits for its end.
    public static var offline: StreamPatience {
        var patience = StreamPatience()
        patience.attempts = 4
        patience.attemptsBeforeSound = 4
        return patience
    }

    /// The wait before an attempt, the first being 1.
    package func pauseSeconds(before attempt: Int) -> Double {
        var pause = firstPauseSeconds
        for _ in 1..<max(attempt, 1) where pause < longestPauseSeconds { pause *= 2 }
        return min(pause, longestPauseSeconds)
    }
}
