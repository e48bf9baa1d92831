internal import Realtime

/// The amplitudes of a looper, which move smoothly to their values.
package struct LoopLevels: BitwiseCopyable {
    private var feedbackRamp: Ramp
    private var loopRamp: Ramp
    private var dryRamp: Ramp
    private var loopAmplitude: Float = 1
    private var isMuted = false

    init(sampleRate: Double) {
        let frames = max(1, Int(0.02 * sampleRate))
        feedbackRamp = Ramp(1, lengthFrames: frames)
        loopRamp = Ramp(1, lengthFrames: frames)
        dryRamp = Ramp(1, lengthFrames: frames)
    }

    /// The share of the loop that remains under an overdub, from 0 to 1.
    @_noLocks
    package mutating func setFeedback(_ value: Float) { feedbackRamp.move(to: value) }

    /// The amplitude of the loop.
    @_noLocks
    package mutating func setLoop(_ amplitude: Float) {
        loopAmplitude = amplitude
        loopRamp.move(to: isMuted ? 0 : amplitude)
    }

    /// Whether the loop is silent while it continues.
    @_noLocks
    package mutating func setMuted(_ isOn: Bool) {
        isMuted = isOn
        loopRamp.move(to: isOn ? 0 : loopAmplitude)
    }

    /// The amplitude of the input in the output.
    @_noLocks
    package mutating func setDry(_ amplitude: Float) { dryRamp.move(to: amplitude) }

    /// Ends all moves.
    @_noLocks
    package mutating func snap() {
        feedbackRamp.snap()
        loopRamp.snap()
        dryRamp.snap()
    }

    /// Returns the feedback of the next frame.
    @_noLocks
    mutating func nextFeedback() -> Float { feedbackRamp.next() }

    /// Returns the amplitudes of the next frame.
    @_noLocks
    mutating func nextGains() -> (dry: Float, loop: Float) { (dryRamp.next(), loopRamp.next()) }
}
