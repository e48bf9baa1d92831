internal import CRealtime
internal import Realtime

// How starts begin, and which voices they replace.
extension PlayerKernel {
    /// Starts every due voice, and returns the frames to render until the next possible start.
    @_noLocks
    mutating func begin(
        _ transport: UnsafePointer<RTTransport>?, at frame: Int, most: Int
    ) -> Int {
        while let start = queue.first {
            let wait = start.point.frames(
                in: transport, from: frame, sampleRate: traits.sampleRate)
            if wait > 0 { return min(wait, most) }
            if start.resumes, current >= 0 {
                voices[current].resume(fadeInFrames: start.fadeInFrames)
            } else {
                let voice = freeVoice(for: start.position)
                if voice < 0 {
                    hurryFadeOut()
                    return min(most, framesUntilFree)
                }
                startCount += 1
                voices[voice].startNumber = startCount
                voices[voice].set(rate: values.rate, semitones: values.semitones)
                var position = start.position
                if playlist.isEndless(position.entry) { position.frame = playlist.streamFrame }
                voices[voice].start(at: position, fadeInFrames: start.fadeInFrames)
            }
            playlist.cache.isDue = true
            queue.removeFirst()
        }
        return most
    }

    /// Returns the index of a voice for a start, or -1 if all voices are in use.
    ///
    /// Prefers the voice that is cued for exactly this start, and otherwise uses a free one. With a
    /// polyphony of 1, a voice that still waits to start can be used too.
    @_noLocks
    private func freeVoice(for position: PlaylistPosition) -> Int {
        for voice in 0..<voices.count where voices[voice].isCued(for: position) { return voice }
        for voice in 0..<voices.count
        where voices[voice].isIdle || voices[voice].phase == .cued
            || traits.polyphony == 1 && voices[voice].phase == .waiting
        {
            return voice
        }
        return -1
    }

    /// Prepares a voice for the next start while nothing plays, because stretching cannot start at
    /// once.
    @_noLocks
    mutating func cueAhead(frames: Int) {
        guard values.rate != 1 || values.semitones != 0, queue.count == 0, current < 0,
            !traits.isSynced, !playlist.isStream(selected.entry)
        else { return }
        for voice in 0..<voices.count where voices[voice].isHeard { return }
        let voice = freeVoice(for: selected)
        if voice >= 0 { voices.start[voice].cue(at: selected, &playlist, frames: frames) }
    }

    /// Shortens the fade-out that ends first, because a start needs its voice.
    @_noLocks
    private func hurryFadeOut() {
        var (first, least) = (-1, Int.max)
        for index in 0..<voices.count where voices[index].framesUntilIdle < least {
            (first, least) = (index, voices[index].framesUntilIdle)
        }
        if first >= 0 { voices[first].leave() }
    }

    /// The frames until the first fading voice is free.
    var framesUntilFree: Int {
        @_noLocks get {
            var least = Int.max
            for index in 0..<voices.count { least = min(least, voices[index].framesUntilIdle) }
            return max(1, least)
        }
    }

    /// Fades out the oldest voices until the polyphony allows the voice at `index`.
    @_noLocks
    mutating func makeRoom(for index: Int) {
        playlist.cache.isDue = true
        while true {
            var (count, oldest) = (0, -1)
            for other in 0..<voices.count where voices[other].isHeld {
                count += 1
                if other != index,
                    oldest < 0 || voices[other].startNumber < voices[oldest].startNumber
                {
                    oldest = other
                }
            }
            guard count > traits.polyphony, oldest >= 0 else { return }
            voices[oldest].leave()
        }
    }

    /// The index of the voice started last that is on or paused; -1 without one.
    var current: Int {
        @_noLocks get {
            var newest = -1
            for index in 0..<voices.count where voices[index].isHeld {
                if newest < 0 || voices[index].startNumber > voices[newest].startNumber {
                    newest = index
                }
            }
            return newest
        }
    }
}
