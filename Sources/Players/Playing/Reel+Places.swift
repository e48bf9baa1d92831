internal import CRealtime

// Which pages will be needed, and where a frame of the whole playlist is.
extension Reel {
    /// Adds the pages after a position to the plan.
    ///
    /// - Parameters:
    ///   - place: The playback position.
    ///   - pages: The number of pages to plan ahead.
    @_noLocks
    mutating func want(after place: ReelPlace, pages: Int) {
        var place = place
        for _ in 0..<pages {
            let total = frameCount(at: place.turn)
            if place.frame >= total {
                follow(&place)
                if place.hasEnded { return }
            }
            if isClip(place.turn) {
                place.frame = frameCount(at: place.turn)
                continue
            }
            let page = place.frame / PageLength.frames
            guard cache.want(item: item(at: place.turn), page: page) else { return }
            place.frame = (page + 1) * PageLength.frames
            let length = blendFrames(at: place.turn)
            if length > 0, isLooping, place.frame > total - length {
                let into = max(0, place.frame - PageLength.frames - (total - length))
                wantHead(turn: place.turn, frame: into)
            }
        }
    }

    /// Adds two pages to the plan, so that playback can start there in the cycle of the request.
    @_noLocks
    mutating func wantHead(turn: Int, frame: Int) {
        guard !isClip(turn), !isStream(turn), frame < frameCount(at: turn) else { return }
        let page = frame / PageLength.frames
        for next in page...page + 1 where next * PageLength.frames < frameCount(at: turn) {
            _ = cache.want(item: item(at: turn), page: next)
        }
    }

    /// Returns the position of a frame counted over all rounds of a loop; `nil` after the end.
    @_noLocks
    func place(at frame: Int) -> ReelPlace? {
        var place = ReelPlace()
        place.frame = max(0, frame)
        if loopsOne { return placeInOne(place) }
        var total = 0
        for turn in 0..<itemCount { total += frameCount(at: turn) }
        guard total > 0 else { return nil }
        if place.frame >= total {
            guard isLooping else { return nil }
            place.rounds = place.frame / total
            if loopCount > 0, place.rounds >= loopCount { return nil }
            place.frame %= total
        }
        while place.frame >= frameCount(at: place.turn) {
            place.frame -= frameCount(at: place.turn)
            place.turn += 1
        }
        return place
    }

    @_noLocks
    private func placeInOne(_ asked: ReelPlace) -> ReelPlace? {
        var place = asked
        let total = frameCount(at: 0)
        guard place.frame >= total else { return place }
        guard isLooping, total > 0 else { return nil }
        let length = blendFrames(at: 0)
        place.rounds = 1 + (place.frame - total) / (total - length)
        if loopCount > 0, place.rounds >= loopCount { return nil }
        place.frame = length + (place.frame - total) % (total - length)
        return place
    }
}
