internal import Realtime

/// The values of a channel strip's controls.
struct Fader: BitwiseCopyable {
    /// The position between the sides, from -1 (left) to 1 (right).
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

    /// The factor for the signal, without the pan.
    var amplitude: Double {
        @_noLocks get { isMuted ? 0 : isInverted ? -gain : gain }
    }
}
