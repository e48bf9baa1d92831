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
/// It makes its sound in steps of a fixed length counted from its own beginning, so that blocks of any length give the same.
struct Deck: ~Copyable {
    enum Phase: BitwiseCopyable {
        case idle
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
    private(set) var phase = Phase.idle
    /// Where the tape is written next.
    private(set) var place = ReelPlace()
    private(set) var tape: Tape
    private(set) var stretch: DeckStretch
    private var isStretching = false
    /// The tape's frame at which the stretch takes over; -1 where it does not.
    private var joinFrame = -1
    /// The tape's frame that the next step begins with, as long as nothing is stretched.
    private var nextFrame = 0
    /// The tape's frame that the present step began with, and how much further each of its frames is.
    private var stepStart = 0.0
    private var stepSpeed = 1.0
    private let given: UnsafeMutablePointer<Float>
    private let scratch: UnsafeMutablePointer<Float>
    private var stepPosition: Int
    private var gate = Swell(0)
    /// 0 while what comes next is not there.
    private var presence = Swell(1)
    private var swellFrames: Int32 = 0
    /// Frames that were silent because what comes next was not there.
    private(set) var lackFrames = 0
    /// When it began, among all the starts of the player.
    var startNumber = 0

    private static var scratchFrames: Int { @_noLocks get { 1024 } }
    /// Steps in which the stretch makes itself ready while the tape sounds as it is: 43 ms.
    private static var joinSteps: Int { @_noLocks get { 32 } }
    private static var partsPerStep: Int { @_noLocks get { 3 } }

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

    private var nextStart: Double {
        @_noLocks get { isStretching ? stretch.position : Double(nextFrame) }
    }

    /// Whether it has its place until it is told to go.
    var isHeld: Bool {
        @_noLocks get { isOn || phase == .pausing || phase == .paused }
    }

    /// Frames until it is free; `.max` where it does not fall silent.
    var framesUntilIdle: Int { @_noLocks get { phase == .leaving ? gate.framesLeft : .max } }

    /// Whether something was missing since it began or was asked to forget it.
    private(set) var hasLacked = false

    @_noLocks
    mutating func forgetLack() { hasLacked = false }

    @_noLocks
    mutating func set(rate: Double, semitones: Float) {
        stretch.rate = rate
        stretch.semitones = semitones
    }

    // MARK: Coming and going

    /// Begins at a place of the reel, as soon as its sound is there.
    @_noLocks
    mutating func start(at place: ReelPlace, swellFrames: Int) {
        self.place = place
        self.swellFrames = Int32(swellFrames)
        tape.clear()
        nextFrame = 0
        stepPosition = stepFrames
        joinFrame = -1
        gate = Swell(0)
        presence = Swell(1)
        hasLacked = false
        hasEnded = false
        isStretching = stretch.isWanted
        if isStretching { stretch.begin() }
        phase = .waiting
    }

    /// Is free at once, whatever it plays.
    @_noLocks
    mutating func stopNow() { phase = .idle }

    /// Falls silent and is free.
    @_noLocks
    mutating func leave() {
        switch phase {
        case .waiting, .paused: phase = .idle
        case .sounding, .pausing:
            phase = .leaving
            fadeOut()
        case .idle, .leaving: return
        }
    }

    /// Falls silent and keeps its place.
    @_noLocks
    mutating func pause() {
        guard phase == .sounding else { return }
        phase = .pausing
        fadeOut()
    }

    /// Goes on where it was paused.
    @_noLocks
    mutating func resume(swellFrames: Int) {
        guard phase == .paused || phase == .pausing else { return }
        phase = .sounding
        open(Int32(swellFrames))
    }

    @_noLocks
    private mutating func fadeOut() { gate.move(to: 0, frames: Int32(traits.fadeFrames)) }

    @_noLocks
    private mutating func open(_ frames: Int32) {
        if frames > 0 { gate.move(to: 1, frames: frames) } else { gate = Swell(1) }
    }

    /// Begins to sound if all that it needs for it is there.
    @_noLocks
    mutating func beginIfReady(_ reel: inout Reel, frames: Int) {
        guard phase == .waiting else { return }
        if isStretching {
            guard isWarm(&reel, frames: frames) else { return }
        } else {
            guard fill(&reel, to: stepFrames + (traits.isLive ? traits.fadeFrames : 0)) else {
                return
            }
        }
        phase = .sounding
        open(swellFrames)
    }

    /// Works ahead; live no more than fits into the frames that pass meanwhile.
    @_noLocks
    private mutating func isWarm(_ reel: inout Reel, frames: Int) -> Bool {
        if traits.isLive {
            _ = fill(&reel, to: stretch.neededFrame)
            return stretch.warm(tape, parts: Self.partsPerStep * (frames / stepFrames + 1))
        }
        while fill(&reel, to: stretch.neededFrame) {
            if stretch.warm(tape, parts: StretchLengths.stageCount) { return true }
        }
        return false
    }

    // MARK: Sounding

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
        while done < count, phase != .idle, phase != .paused, phase != .waiting {
            if stepPosition >= stepFrames {
                guard makeStep(&reel) else { return lack(count - done) }
                stepPosition = 0
            }
            let frames = min(min(count - done, stepFrames - stepPosition), framesToEnd)
            if frames > 0 { mix(outputs, at: first + done, until(frames)) }
            if framesToEnd <= 0 { return end() }
            done += lastMixed
            settle()
        }
    }

    /// How many frames were mixed last.
    private var lastMixed = 0

    /// So many frames, or fewer where a gate arrives before.
    @_noLocks
    private func until(_ frames: Int) -> Int {
        var frames = frames
        if !gate.isResting { frames = min(frames, gate.framesLeft) }
        if !presence.isResting { frames = min(frames, presence.framesLeft) }
        return frames
    }

    /// Frames of the present step before the sound ends.
    private var framesToEnd: Int {
        @_noLocks get {
            guard tape.endFrame < .max else { return stepFrames }
            let left = Double(tape.endFrame) - stepStart
            guard left < Double(stepFrames) * max(1, stepSpeed) else { return stepFrames }
            return Int(rt_ceil(left / max(stepSpeed, 0.01))) - stepPosition
        }
    }

    @_noLocks
    private mutating func mix(
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, at first: Int, _ frames: Int
    ) {
        let (gateBefore, presenceBefore) = (gate, presence)
        let isEven = gate.isResting && presence.isResting
        for channel in 0..<traits.channels {
            let from = given + channel * stepFrames + stepPosition
            let out = outputs[channel] + first
            if isEven {
                var even = Ramp(gate.value * presence.value, lengthFrames: 1)
                accumulate(from, into: out, frameCount: frames, gain: &even)
            } else {
                gate = gateBefore
                presence = presenceBefore
                for frame in 0..<frames { out[frame] += from[frame] * (gate.next() * presence.next()) }
            }
        }
        stepPosition += frames
        lastMixed = frames
    }

    /// Changes its phase where the gate has closed.
    @_noLocks
    private mutating func settle() {
        guard gate.isResting, gate.value == 0 else { return }
        if phase == .leaving { phase = .idle }
        if phase == .pausing { phase = .paused }
    }

    @_noLocks
    private mutating func end() {
        phase = .idle
        hasEnded = true
    }

    /// Whether it came to the end of its sound since it began.
    private(set) var hasEnded = false

    @_noLocks
    mutating func takeEnd() -> Bool {
        defer { hasEnded = false }
        return hasEnded
    }

    /// Is silent since what comes next is not there.
    @_noLocks
    private mutating func lack(_ frames: Int) {
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

    // MARK: Steps

    /// Lays down what comes next up to a frame of the tape; false where it is not all there.
    @_noLocks
    private mutating func fill(_ reel: inout Reel, to frame: Int) -> Bool {
        while tape.writtenFrames < frame {
            let wanted = min(frame - tape.writtenFrames, Self.scratchFrames)
            if place.hasEnded {
                tape.end()
                tape.writeSilence(wanted)
            } else if place.frame >= reel.frameCount(at: place.turn) {
                reel.follow(&place)
            } else if reel.pull(&place, wanted, onto: &tape, scratch) == 0,
                place.frame < reel.frameCount(at: place.turn)
            {
                return false
            }
        }
        return true
    }

    /// Makes the next step's frames; false where that cannot be.
    @_noLocks
    private mutating func makeStep(_ reel: inout Reel) -> Bool {
        guard isSupplied(&reel) else { return false }
        if isStretching {
            stretchStep()
        } else {
            plainStep(&reel)
        }
        return true
    }

    /// Whether what the next step needs is there; where soon it will not be, it fades out.
    @_noLocks
    private mutating func isSupplied(_ reel: inout Reel) -> Bool {
        let needed = isStretching ? stretch.neededFrame : nextFrame + stepFrames
        guard traits.isLive else { return fill(&reel, to: needed) }
        let isReady = fill(&reel, to: needed + traits.fadeFrames)
        if isReady {
            if presence.target == 0 { presence.move(to: 1, frames: Int32(traits.fadeFrames)) }
            return true
        }
        let left = tape.writtenFrames - needed
        if presence.target == 1, left > 0 {
            presence.move(to: 0, frames: Int32(min(left, traits.fadeFrames)))
        }
        return left >= 0 && !(presence.isResting && presence.value == 0)
    }

    @_noLocks
    private mutating func plainStep(_ reel: inout Reel) {
        if joinFrame >= 0 || stretch.isWanted { join(&reel) }
        if isStretching { return stretchStep() }
        stepStart = Double(nextFrame)
        stepSpeed = 1
        for channel in 0..<traits.channels {
            tape.ring.read(
                channel, from: nextFrame, count: stepFrames,
                into: given + channel * stepFrames)
        }
        nextFrame += stepFrames
    }

    /// Makes the stretch ready beside what sounds, and hands over to it once it is.
    @_noLocks
    private mutating func join(_ reel: inout Reel) {
        if !stretch.isWanted {
            joinFrame = -1
            return
        }
        if joinFrame < 0 {
            joinFrame = nextFrame + Self.joinSteps * stepFrames
            stretch.join(at: joinFrame)
        }
        let mayAll = nextFrame == joinFrame
        let most = mayAll ? Int.max : tape.writtenFrames + Self.scratchFrames
        let isFilled = fill(&reel, to: min(stretch.neededFrame, most))
        var isWarm = stretch.warm(tape, parts: Self.partsPerStep)
        guard mayAll else { return }
        while isFilled, !isWarm, fill(&reel, to: stretch.neededFrame) {
            isWarm = stretch.warm(tape, parts: StretchLengths.stageCount)
        }
        if isWarm, fill(&reel, to: stretch.neededFrame) { isStretching = true }
        // Otherwise it begins anew from here.
        joinFrame = -1
    }

    @_noLocks
    private mutating func stretchStep() {
        if stretch.isThrough {
            isStretching = false
            nextFrame = stretch.throughFrame
            joinFrame = -1
            stepStart = Double(nextFrame)
            stepSpeed = 1
            for channel in 0..<traits.channels {
                tape.ring.read(
                    channel, from: nextFrame, count: stepFrames,
                    into: given + channel * stepFrames)
            }
            nextFrame += stepFrames
            return
        }
        stepStart = stretch.position
        stretch.step(tape, channels: traits.channels, into: given)
        stepSpeed = (stretch.position - stepStart) / Double(stepFrames)
    }
}
