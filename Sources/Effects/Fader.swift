internal import Realtime

/// What a channel strip's controls stand at.
struct Fader: BitwiseCopyable {
    /// Place between the sides, from -1, left, through 1, right.
    var pan: Double
    var isMuted: Bool
    var isInverted: Bool
    private var gain: Double

    init(decibels: Double, pan: Double, isMuted: Bool, isInverted: Bool) {
        gain = Decibels(decibels).amplitude
        self.pan = pan
        self.isMuted = isMuted
        self.isInverted = isInverted
    }

    @_noLocks
    mutating func setGain(decibels: Double) { gain = Decibels(decibels).amplitude }

    /// By what the signal is multiplied, pan aside.
    var amplitude: Double {
        @_noLocks get { isMuted ? 0 : isInverted ? -gain : gain }
    }
}
