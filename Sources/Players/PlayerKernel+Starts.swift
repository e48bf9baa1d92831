internal import CRealtime

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
                decks[current].resume(swellFrames: start.swellFrames)
            } else {
                let deck = freeDeck(for: start.place)
                if deck < 0 { return min(most, framesUntilFree) }
                startCount += 1
                decks[deck].startNumber = startCount
                decks[deck].set(rate: values.rate, semitones: values.semitones)
                var place = start.place
                if reel.isEndless(place.turn) { place.frame = reel.streamFrame }
                decks[deck].start(at: place, swellFrames: start.swellFrames)
            }
            reel.cache.isDue = true
            queue.removeFirst()
        }
        return most
    }

    /// Returns the index of a voice for a start, or -1 if all voices are in use.
    ///
    /// Prefers the voice that is cued for exactly this start, and otherwise uses a free one. With a
    /// polyphony of 1, a voice that still waits to start can be used too.
    @_noLocks
    private func freeDeck(for place: ReelPlace) -> Int {
        for deck in 0..<deckCount where decks[deck].isCued(for: place) { return deck }
        for deck in 0..<deckCount
        where decks[deck].isIdle || decks[deck].phase == .cued
            || traits.polyphony == 1 && decks[deck].phase == .waiting
        {
            return deck
        }
        return -1
    }

    /// Prepares a voice for the next start while nothing plays, because stretching cannot start at
    /// once.
    @_noLocks
    mutating func cueAhead(frames: Int) {
        guard values.rate != 1 || values.semitones != 0, queue.count == 0, current < 0,
            !traits.isSynced, !reel.isStream(selected.turn)
        else { return }
        for deck in 0..<deckCount where decks[deck].isHeard { return }
        let deck = freeDeck(for: selected)
        if deck >= 0 { decks[deck].cue(at: selected, &reel, frames: frames) }
    }

    /// The frames until the first fading voice is free.
    var framesUntilFree: Int {
        @_noLocks get {
            var least = Int.max
            for place in 0..<deckCount { least = min(least, decks[place].framesUntilIdle) }
            return max(1, least)
        }
    }

    /// Fades out the oldest voices until the polyphony allows the voice at `place`.
    @_noLocks
    mutating func makeRoom(for place: Int) {
        reel.cache.isDue = true
        while true {
            var (count, oldest) = (0, -1)
            for other in 0..<deckCount where decks[other].isHeld {
                count += 1
                if other != place,
                    oldest < 0 || decks[other].startNumber < decks[oldest].startNumber
                {
                    oldest = other
                }
            }
            guard count > traits.polyphony, oldest >= 0 else { return }
            decks[oldest].leave()
        }
    }

    /// The index of the voice started last that is on or paused; -1 without one.
    var current: Int {
        @_noLocks get {
            var newest = -1
            for place in 0..<deckCount where decks[place].isHeld {
                if newest < 0 || decks[place].startNumber > decks[newest].startNumber {
                    newest = place
                }
            }
            return newest
        }
    }
}
