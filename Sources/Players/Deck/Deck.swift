internal import CRealtime
internal import DSP
internal import Realtime

/// How a player's decks are made.
struct DeckTraits: BitwiseCopyable {
    var channels: Int
    var sampleRate: Double
    /// Whether sound may come too late.
    var isLive: Bool
    /// Whether coming back to rate 1 may move along the sound.
    var mayLand: Bool

    /// How long what stops takes to fall silent, and what comes back after a lack to sound.
    var fadeFrames: Int { @_noLocks get { max(1, Int(0.02 * sampleRate)) } }
}

/// One voice of a player: a tape of what comes next, as it is or stretched, behind a gate.
///
/// It makes its sound in steps of a fixed length counted from its own beginning, so that blocks of any length give
/// the same.
struct Deck: ~Copyable {
    enum Phase: BitwiseCopyable {
        case idle
        /// It makes itself ready for a start that nobody has asked for yet.
        case cued
        /// It begins as soon as it can.
        case waiting
        case sounding
        /// It falls silent, and is then free.
        case leaving
        /// It falls silent, and then keeps its place.
        case pausing
        case paused
    }

    let traits: DeckTraits
    var phase = Phase.idle
    /// Where it began, and at which speed.
    var startPlace = ReelPlace()
    var startRate = 1.0
    var startSemitones: Float = 0
    /// Where the tape is written next.
    var place = ReelPlace()
    var tape: Tape
    var stretch: DeckStretch
    var isStretching = false
    /// The tape's frame at which the stretch takes over; -1 where it does not.
    var joinFrame = -1
    /// The tape's frame that the next step begins with, as long as nothing is stretched.
    var nextFrame = 0
    /// The tape's frame that the present step began with, and how much further each of its frames is.
    var stepStart = 0.0
    var stepSpeed = 1.0
    let given: UnsafeMutablePointer<Float>
    let scratch: UnsafeMutablePointer<Float>
    var stepPosition: Int
    var gate = Swell(0)
    /// 0 while what comes next is not there.
    var presence = Swell(1)
    var swellFrames: Int32 = 0
    /// Frames that were silent because what comes next was not there.
    var lackFrames = 0
    /// Whether something was missing since it began or was asked to forget it.
    var hasLacked = false
    /// Whether it came to the end of its sound, and nobody has asked yet.
    var hasEnded = false
    /// When it began, among all the starts of the player.
    var startNumber = 0

    static var scratchFrames: Int { @_noLocks get { 1024 } }
    /// Steps in which the stretch makes itself ready while the tape sounds as it is: 43 ms.
    static var joinSteps: Int { @_noLocks get { 32 } }
    static var partsPerStep: Int { @_noLocks get { 3 } }

    init(_ traits: DeckTraits) {
        self.traits = traits
        let lengths = StretchLengths(windowSteps: 128, sampleRate: traits.sampleRate)
        let capacity = 5 * lengths.transformFrames
        tape = Tape(
            channels: traits.channels, capacityFrames: capacity,
            silenceFrames: Self.scratchFrames)
        stretch = DeckStretch(
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
        tape.deallocate()
        given.deallocate()
        scratch.deallocate()
    }

    var stepFrames: Int { @_noLocks get { stretch.lengths.stepFrames } }

    var isIdle: Bool { @_noLocks get { phase == .idle } }

    /// Whether it is a voice that is there to stay.
    var isOn: Bool { @_noLocks get { phase == .sounding || phase == .waiting } }

    /// Whether it waits for sound that should be there.
    var isLacking: Bool { @_noLocks get { phase == .sounding && presence.target == 0 } }

    /// Which sound plays, and which frame of it.
    var origin: (turn: Int, frame: Int) {
        @_noLocks get {
            if phase == .waiting || tape.writtenFrames == 0 { return (place.turn, place.frame) }
            let passed = stepPosition < stepFrames ? Double(stepPosition) : 0
            let start = stepPosition < stepFrames ? stepStart : nextStart
            return tape.origin(of: max(0, Int(start + passed * stepSpeed + 0.5)))
        }
    }

    var nextStart: Double {
        @_noLocks get { isStretching ? stretch.position : Double(nextFrame) }
    }

    /// Whether it is heard.
    var isHeard: Bool {
        @_noLocks get { phase == .sounding || phase == .leaving || phase == .pausing }
    }

    /// Whether it has its place until it is told to go.
    var isHeld: Bool {
        @_noLocks get { isOn || phase == .pausing || phase == .paused }
    }

    /// Frames until it is free; `.max` where it does not fall silent.
    var framesUntilIdle: Int { @_noLocks get { phase == .leaving ? gate.framesLeft : .max } }

    @_noLocks
    mutating func forgetLack() { hasLacked = false }

    @_noLocks
    mutating func set(rate: Double, semitones: Float) {
        stretch.rate = rate
        stretch.semitones = semitones
    }
}
