internal import CRealtime
internal import DSP
internal import Realtime

// How a deck begins and falls silent.
extension Deck {
    /// Begins at a place of the reel, as soon as its sound is there.
    @_noLocks
    mutating func start(at place: ReelPlace, swellFrames: Int) {
        self.swellFrames = Int32(swellFrames)
        if !isCued(for: place) { begin(at: place) }
        phase = .waiting
    }

    /// Makes itself ready to begin at a place, where that takes some time.
    @_noLocks
    mutating func cue(at place: ReelPlace, _ reel: inout Reel, frames: Int) {
        if !isCued(for: place) { begin(at: place) }
        phase = .cued
        if isStretching { _ = isWarm(&reel, frames: frames) }
    }

    /// Whether it makes itself ready for just this start.
    @_noLocks
    func isCued(for place: ReelPlace) -> Bool {
        phase == .cued && place == startPlace && startRate == stretch.rate
            && startSemitones == stretch.semitones
    }

    @_noLocks
    private mutating func begin(at place: ReelPlace) {
        self.place = place
        startPlace = place
        startRate = stretch.rate
        startSemitones = stretch.semitones
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
    }

    /// Is free at once, whatever it plays.
    @_noLocks
    mutating func stopNow() { phase = .idle }

    /// Falls silent and is free.
    @_noLocks
    mutating func leave() {
        switch phase {
        case .waiting, .paused, .cued: phase = .idle
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
    mutating func fadeOut() { gate.move(to: 0, frames: Int32(traits.fadeFrames)) }

    @_noLocks
    mutating func open(_ frames: Int32) {
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
    mutating func isWarm(_ reel: inout Reel, frames: Int) -> Bool {
        if traits.isLive {
            _ = fill(&reel, to: stretch.neededFrame)
            return stretch.warm(tape, parts: Self.partsPerStep * (frames / stepFrames + 1))
        }
        while fill(&reel, to: stretch.neededFrame) {
            if stretch.warm(tape, parts: StretchLengths.stageCount) { return true }
        }
        return false
    }
}
