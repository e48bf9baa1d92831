internal import CRealtime
internal import DSP
internal import Realtime

// How what a deck made goes out.
extension Deck {
    /// Adds its sound to the outputs.
    ///
    /// - Parameters:
    ///   - reel: Where its sound comes from.
    ///   - outputs: One a channel.
    ///   - first: The first frame there.
    ///   - count: How many.
    @_noLocks
    mutating func run(
        _ reel: inout Reel, into outputs: UnsafePointer<UnsafeMutablePointer<Float>>, first: Int,
        count: Int
    ) {
        var done = 0
        while done < count, isHeard {
            if stepPosition >= stepFrames {
                guard makeStep(&reel) else { return lack(count - done) }
                stepPosition = 0
            }
            let frames = min(framesToEvent, count - done)
            if frames > 0 { mix(outputs, at: first + done, frames) }
            done += max(0, frames)
            if framesToEnd <= 0 { return end() }
            settle()
        }
    }

    /// Frames of the present step until it ends, the sound does, or a gate arrives.
    var framesToEvent: Int {
        @_noLocks get {
            var frames = min(stepFrames - stepPosition, framesToEnd)
            if !gate.isResting { frames = min(frames, gate.framesLeft) }
            if !presence.isResting { frames = min(frames, presence.framesLeft) }
            return frames
        }
    }

    /// Frames of the present step before the sound ends.
    var framesToEnd: Int {
        @_noLocks get {
            guard tape.endFrame < .max else { return stepFrames }
            let left = Double(tape.endFrame) - stepStart
            guard left < Double(stepFrames) * max(1, stepSpeed) else { return stepFrames }
            return Int(rt_ceil(left / max(stepSpeed, 0.01))) - stepPosition
        }
    }

    @_noLocks
    mutating func mix(
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, at first: Int, _ frames: Int
    ) {
        let (gateBefore, presenceBefore) = (gate, presence)
        let isEven = gate.isResting && presence.isResting
        for channel in 0..<traits.channels {
            let from = given + channel * stepFrames + stepPosition
            let out = outputs[channel] + first
            if isEven {
                var even = GainGlide(gate.value * presence.value, lengthFrames: 1)
                accumulate(from, into: out, frameCount: frames, gain: &even)
            } else {
                gate = gateBefore
                presence = presenceBefore
                for frame in 0..<frames {
                    out[frame] += from[frame] * (gate.next() * presence.next())
                }
            }
        }
        stepPosition += frames
    }

    /// Changes its phase where the gate has closed.
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

    /// Whether it came to the end of its sound since the last time this was asked.
    @_noLocks
    mutating func takeEnd() -> Bool {
        defer { hasEnded = false }
        return hasEnded
    }

    /// Is silent since what comes next is not there.
    @_noLocks
    mutating func lack(_ frames: Int) {
        if phase != .sounding {
            // What falls silent anyway need not wait.
            phase = phase == .leaving ? .idle : .paused
            gate = Swell(0)
            return
        }
        presence = Swell(0)
        hasLacked = true
        lackFrames += frames
    }
}
