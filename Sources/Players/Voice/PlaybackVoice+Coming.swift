internal import CRealtime
internal import DSP
internal import Realtime

// How a playback voice starts, pauses and fades out.
extension PlaybackVoice {
    /// Starts at a position of the playlist as soon as its frames are available.
    @_noLocks
    mutating func start(at position: PlaylistPosition, fadeInFrames: Int) {
        self.fadeInFrames = Int32(fadeInFrames)
        if !isCued(for: position) { begin(at: position) }
        phase = .waiting
    }

    /// Prepares for a start at a position, if the preparation takes time.
    @_noLocks
    mutating func cue(at position: PlaylistPosition, _ playlist: inout Playlist, frames: Int) {
        if !isCued(for: position) { begin(at: position) }
        phase = .cued
        if isStretching { _ = isWarm(&playlist, frames: frames) }
    }

    /// Returns whether the voice is prepared for exactly this start.
    @_noLocks
    func isCued(for position: PlaylistPosition) -> Bool {
        phase == .cued && position == startPosition && startRate == stretch.rate
            && startSemitones == stretch.semitones
    }

    @_noLocks
    private mutating func begin(at position: PlaylistPosition) {
        self.position = position
        startPosition = position
        startRate = stretch.rate
        startSemitones = stretch.semitones
        upcoming.clear()
        nextFrame = 0
        stepPosition = stepFrames
        joinFrame = -1
        gate = SmoothRamp(0)
        supplyGain = SmoothRamp(1)
        hadMissingFrames = false
        hasEnded = false
        isStretching = stretch.isWanted
        if isStretching { stretch.begin() }
    }

    /// Frees the voice immediately, without a fade.
    @_noLocks
    mutating func stopNow() { phase = .idle }

    /// Fades out, and then frees the voice.
    ///
    /// A fade-out that already runs becomes shorter if it would last longer.
    ///
    /// - Parameter frames: The length of the fade-out; at least 20 ms.
    @_noLocks
    mutating func leave(frames: Int = 0) {
        switch phase {
        case .waiting, .paused, .cued: phase = .idle
        case .sounding:
            phase = .leaving
            fadeOut(frames)
        case .pausing, .leaving:
            phase = .leaving
            hurry(frames)
        case .idle: return
        }
    }

    /// Fades out, and then keeps its position.
    ///
    /// A fade-out that already runs becomes shorter if it would last longer.
    ///
    /// - Parameter frames: The length of the fade-out; at least 20 ms.
    @_noLocks
    mutating func pause(frames: Int = 0) {
        if phase == .pausing || phase == .leaving { return hurry(frames) }
        guard phase == .sounding else { return }
        phase = .pausing
        fadeOut(frames)
    }

    /// Continues from the paused position.
    @_noLocks
    mutating func resume(fadeInFrames: Int) {
        guard phase == .paused || phase == .pausing else { return }
        phase = .sounding
        open(Int32(fadeInFrames))
    }

    @_noLocks
    private mutating func fadeOut(_ frames: Int) {
        gate.move(to: 0, frames: Int32(max(traits.fadeFrames, min(frames, 1_000_000_000))))
    }

    /// Shortens the running fade-out; a fade-out that ends earlier anyway continues.
    @_noLocks
    private mutating func hurry(_ frames: Int) {
        if max(frames, traits.fadeFrames) < gate.framesLeft { fadeOut(frames) }
    }

    @_noLocks
    mutating func open(_ frames: Int32) {
        if frames > 0 { gate.move(to: 1, frames: frames) } else { gate = SmoothRamp(1) }
    }

    /// Starts to sound if all necessary frames are available.
    @_noLocks
    mutating func beginIfReady(_ playlist: inout Playlist, frames: Int) {
        guard phase == .waiting else { return }
        if isStretching {
            guard isWarm(&playlist, frames: frames) else { return }
        } else {
            guard fill(&playlist, to: stepFrames + (traits.isLive ? traits.fadeFrames : 0)) else {
                return
            }
        }
        phase = .sounding
        open(fadeInFrames)
    }

    /// Runs the stretch engine ahead, and returns whether it is ready.
    ///
    /// Live, the amount of work is limited in proportion to the block size.
    @_noLocks
    mutating func isWarm(_ playlist: inout Playlist, frames: Int) -> Bool {
        if traits.isLive {
            _ = fill(&playlist, to: stretch.neededFrame)
            return stretch.warm(upcoming, parts: Self.partsPerStep * (frames / stepFrames + 1))
        }
        while fill(&playlist, to: stretch.neededFrame) {
            if stretch.warm(upcoming, parts: StretchLengths.stageCount) { return true }
        }
        return false
    }
}
