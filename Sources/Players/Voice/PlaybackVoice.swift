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
    var mayLand: Bool

    /// The frames of a fade-out, and of the fade-in after missing frames: 20 ms.
    var fadeFrames: Int { @_noLocks get { max(1, Int(0.02 * sampleRate)) } }
}

/// A playback voice: a ring of upcoming frames, played unchanged or stretched, behind a gate.
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
    var startPosition = PlaylistPosition()
    var startRate = 1.0
    var startSemitones: Float = 0
    /// The playlist position of the next frame to write to the ring.
    var position = PlaylistPosition()
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
    let given: UnsafeMutablePointer<Float>
    let scratch: UnsafeMutablePointer<Float>
    var stepPosition: Int
    var gate = SmoothRamp(0)
    /// The gain that drops to 0 while the next frames are missing.
    var supplyGain = SmoothRamp(1)
    var fadeInFrames: Int32 = 0
    /// The number of frames that were silent because the next frames were missing.
    var lackFrames = 0
    /// Whether frames were missing since the start or since the last `forgetLack()`.
    var hasLacked = false
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
            mayLand: traits.mayLand)
        given = .allocate(capacity: traits.channels * lengths.stepFrames)
        given.initialize(repeating: 0, count: traits.channels * lengths.stepFrames)
        scratch = .allocate(capacity: traits.channels * Self.scratchFrames)
        scratch.initialize(repeating: 0, count: traits.channels * Self.scratchFrames)
        stepPosition = lengths.stepFrames
    }

    deinit {
        upcoming.deallocate()
        given.deallocate()
        scratch.deallocate()
    }

    var stepFrames: Int { @_noLocks get { stretch.lengths.stepFrames } }

    var isIdle: Bool { @_noLocks get { phase == .idle } }

    /// Whether the voice sounds or waits to sound, and is not fading out.
    var isOn: Bool { @_noLocks get { phase == .sounding || phase == .waiting } }

    /// Whether the voice waits for frames that should be available.
    var isLacking: Bool { @_noLocks get { phase == .sounding && supplyGain.target == 0 } }

    /// The file (by its turn) and the frame in it that the voice plays now.
    var origin: (turn: Int, frame: Int) {
        @_noLocks get {
            if phase == .waiting || upcoming.writtenFrames == 0 {
                return (position.turn, position.frame)
            }
            let passed = stepPosition < stepFrames ? Double(stepPosition) : 0
            let start = stepPosition < stepFrames ? stepStart : nextStart
            return upcoming.origin(of: max(0, Int(start + passed * stepSpeed + 0.5)))
        }
    }

    var nextStart: Double {
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

    /// The frames until the voice is free; `.max` if it is not fading out.
    var framesUntilIdle: Int { @_noLocks get { phase == .leaving ? gate.framesLeft : .max } }

    @_noLocks
    mutating func forgetLack() { hasLacked = false }

    @_noLocks
    mutating func set(rate: Double, semitones: Float) {
        stretch.rate = rate
        stretch.semitones = semitones
    }
}
