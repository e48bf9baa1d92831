internal import CRealtime
internal import DSP
internal import Realtime

// How a playback voice writes its sound to the outputs.
extension PlaybackVoice {
    /// Adds the sound of the voice to the outputs.
    ///
    /// - Parameters:
    ///   - playlist: The playlist that supplies the sound.
    ///   - outputs: The output buffers, one per channel.
    ///   - first: The first frame to write in the outputs.
    ///   - count: The number of frames.
    @_noLocks
    mutating func run(
        _ playlist: inout Playlist, into outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        first: Int,
        count: Int
    ) {
        var done = 0
        while done < count, isHeard {
            if stepPosition >= stepFrames {
                guard makeStep(&playlist) else { return lack(count - done) }
                stepPosition = 0
            }
            let frames = min(framesToEvent, count - done)
            if frames > 0 { mix(outputs, at: first + done, frames) }
            done += max(0, frames)
            if framesToEnd <= 0 { return end() }
            settle()
        }
    }

    /// Frames until the step ends, the sound ends, or a fade arrives, whichever comes first.
    var framesToEvent: Int {
        @_noLocks get {
            var frames = min(stepFrames - stepPosition, framesToEnd)
            if !gate.isResting { frames = min(frames, gate.framesLeft) }
            if !supplyGain.isResting { frames = min(frames, supplyGain.framesLeft) }
            return frames
        }
    }

    /// Frames of the current step before the sound ends.
    var framesToEnd: Int {
        @_noLocks get {
            guard upcoming.endFrame < .max else { return stepFrames }
            let left = Double(upcoming.endFrame) - stepStart
            guard left < Double(stepFrames) * max(1, stepSpeed) else { return stepFrames }
            return Int(rt_ceil(left / max(stepSpeed, 0.01))) - stepPosition
        }
    }

    @_noLocks
    mutating func mix(
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, at first: Int, _ frames: Int
    ) {
        let (gateBefore, supplyGainBefore) = (gate, supplyGain)
        let isEven = gate.isResting && supplyGain.isResting
        for channel in 0..<traits.channels {
            let from = given + channel * stepFrames + stepPosition
            let out = outputs[channel] + first
            if isEven {
                var even = GainGlide(gate.value * supplyGain.value, lengthFrames: 1)
                accumulate(from, into: out, frameCount: frames, gain: &even)
            } else {
                gate = gateBefore
                supplyGain = supplyGainBefore
                for frame in 0..<frames {
                    out[frame] += from[frame] * (gate.next() * supplyGain.next())
                }
            }
        }
        stepPosition += frames
    }

    /// Changes the phase when the gate has closed.
    @_noLocks
    mutating func settle() {
        guard gate.isResting, gate.value == 0 else { return }
        if phase == .leaving { phase = .idle }
        if phase == .pausing { phase = .paused }
    }

    @_noLocks
    mutating func end() {
        phase = .idle
        hasEnded = true
    }

    /// Returns whether the sound has ended since the last call.
    @_noLocks
    mutating func popEnd() -> Bool {
        defer { hasEnded = false }
        return hasEnded
    }

    /// Mutes the voice because the next frames are not available.
    @_noLocks
    mutating func lack(_ frames: Int) {
        if phase != .sounding {
            // A voice that is fading out anyway does not need to wait.
            phase = phase == .leaving ? .idle : .paused
            gate = SmoothRamp(0)
            return
        }
        supplyGain = SmoothRamp(0)
        hasLacked = true
        lackFrames += frames
    }
}
