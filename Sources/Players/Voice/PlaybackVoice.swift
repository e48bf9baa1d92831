internal import CRealtime
internal import DSP
internal import Realtime

/// The fixed properties of a playback voice.
struct PlaybackVoiceTraits: BitwiseCopyable {
    var channels: Int
    var sampleRate: Double
    /// Whether frames may arrive too late.
    var isLive: Bool
    /// Whether a return to rate 1 may shift the position slightly.
    var mayAlign: Bool

    /// The frames of a fade-out, and of the fade-in after missing frames: 20 ms.
    var fadeFrames: Int { @_noLocks get { max(1, Int(0.02 * sampleRate)) } }
}

/// A playback voice: a ring of upcoming frames, played unchanged or stretched, with a gain that
/// fades it in and out.
///
/// It renders in steps of a fixed length, counted from its own start, so the output does not
/// depend on the block size.
struct PlaybackVoice: ~Copyable {
    enum Phase: BitwiseCopyable {
        case idle
        /// The voice prepares for a start that has not been requested yet.
        case cued
        /// The voice starts as soon as it can.
        case waiting
        case sounding
        /// The voice fades out and is then free.
        case leaving
        /// The voice fades out and then keeps its position.
        case pausing
        case paused
    }

    let traits: PlaybackVoiceTraits
    var phase = Phase.idle
    /// The position, rate and pitch shift of the last start.
    var startPosition = PlaylistPosition(entry: 0)
    var startRate = 1.0
    var startSemitones: Float = 0
    /// The playlist position of the next frame to write to the ring.
    var position = PlaylistPosition(entry: 0)
    var upcoming: FrameRing
    var stretch: PlaybackVoiceStretch
    var isStretching = false
    /// The ring frame at which the stretch engine starts to play; -1 if no switch is planned.
    var joinFrame = -1
    /// The ring frame at the start of the next step while the sound is not stretched.
    var nextFrame = 0
    /// The ring frame at the start of the current step, and the ring frames per output frame.
    var stepStart = 0.0
    var stepSpeed = 1.0
    /// The output of the current step, one channel after the other.
    let stepSamples: Buffer<Float>
    let scratch: Buffer<Float>
    /// The next frame of the current step to play.
    var stepPosition: Int
    /// The gain that fades the voice in and out.
    var gate = SmoothRamp(0)
    /// The gain that drops to 0 while the next frames are missing.
    var supplyGain = SmoothRamp(1)
    var fadeInFrames: Int32 = 0
    /// The number of frames that were silent because the next frames were missing.
    var missingFrames = 0
    /// Whether frames were missing since the start or since the last `clearMissing()`.
    var hadMissingFrames = false
    /// Whether the sound has ended since the last `popEnd()`.
    var hasEnded = false
    /// The number of the voice's start, counted over all voices of the player.
    var startNumber = 0

    static var scratchFrames: Int { @_noLocks get { 1024 } }
    /// The steps of plain playback during which the stretch engine prepares: 43 ms.
    static var joinSteps: Int { @_noLocks get { 32 } }
    static var partsPerStep: Int { @_noLocks get { 3 } }

    init(_ traits: PlaybackVoiceTraits) {
        self.traits = traits
        let lengths = StretchLengths(windowSteps: 128, sampleRate: traits.sampleRate)
        let capacity = 5 * lengths.transformFrames
        upcoming = FrameRing(
            channels: traits.channels, capacityFrames: capacity,
            silenceFrames: Self.scratchFrames)
        stretch = PlaybackVoiceStretch(
            channels: traits.channels, lengths: lengths, ringFrames: capacity,
            glideSteps: Int(0.02 * traits.sampleRate) / lengths.stepFrames,
            mayAlign: traits.mayAlign)
        stepSamples = Buffer(count: traits.channels * lengths.stepFrames, repeating: 0)
        scratch = Buffer(count: traits.channels * Self.scratchFrames, repeating: 0)
        stepPosition = lengths.stepFrames
    }

    var stepFrames: Int { @_noLocks get { stretch.lengths.stepFrames } }

    var isIdle: Bool { @_noLocks get { phase == .idle } }

    /// Whether the voice sounds or waits to sound, and is not fading out.
    var isOn: Bool { @_noLocks get { phase == .sounding || phase == .waiting } }

    /// Whether the voice waits for frames that should be available.
    var isStarved: Bool { @_noLocks get { phase == .sounding && supplyGain.target == 0 } }

    /// The file (by its entry) and the frame in it that the voice plays now.
    var origin: (entry: Int, frame: Int) {
        @_noLocks get {
            if phase == .waiting { return (position.entry, position.frame) }
            return upcoming.origin(of: playedFrame) ?? (position.entry, position.frame)
        }
    }

    /// The ring frame that the voice plays now.
    private var playedFrame: Int {
        @_noLocks get {
            let passed = stepPosition < stepFrames ? Double(stepPosition) : 0
            let start = stepPosition < stepFrames ? stepStart : nextStart
            return max(0, Int(start + passed * stepSpeed + 0.5))
        }
    }

    /// Returns whether the voice plays a file, given by its entry, or will play it.
    @_noLocks
    func needs(_ entry: Int) -> Bool {
        !isIdle && (position.entry == entry || upcoming.contains(entry, from: playedFrame))
    }

    private var nextStart: Double {
        @_noLocks get { isStretching ? stretch.position : Double(nextFrame) }
    }

    /// Whether the voice is audible.
    var isHeard: Bool {
        @_noLocks get { phase == .sounding || phase == .leaving || phase == .pausing }
    }

    /// Whether the voice counts towards the polyphony: it is on or paused.
    var isHeld: Bool {
        @_noLocks get { isOn || phase == .pausing || phase == .paused }
    }

    /// Whether the voice fades out for so long that it needs further pages.
    var fadesLong: Bool {
        @_noLocks get {
            (phase == .leaving || phase == .pausing) && gate.framesLeft > traits.fadeFrames
        }
    }

    /// The frames until the voice is free; `.max` if it is not fading out.
    var framesUntilIdle: Int { @_noLocks get { phase == .leaving ? gate.framesLeft : .max } }

    @_noLocks
    mutating func clearMissing() { hadMissingFrames = false }

    @_noLocks
    mutating func set(rate: Double, semitones: Float) {
        stretch.rate = rate
        stretch.semitones = semitones
    }
}

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
                guard makeStep(&playlist) else { return recordMissing(count - done) }
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
            let from = stepSamples.start + channel * stepFrames + stepPosition
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
    mutating func recordMissing(_ frames: Int) {
        if phase != .sounding {
            // A voice that is fading out anyway does not need to wait.
            phase = phase == .leaving ? .idle : .paused
            gate = SmoothRamp(0)
            return
        }
        supplyGain = SmoothRamp(0)
        hadMissingFrames = true
        missingFrames += frames
    }
}
