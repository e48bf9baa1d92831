internal import CRealtime

// Which pages will be needed, and where a frame of the whole playlist is.
extension Playlist {
    /// Adds the pages after a position to the plan.
    ///
    /// - Parameters:
    ///   - position: The playback position.
    ///   - pages: The number of pages to plan ahead.
    @_noLocks
    mutating func want(after position: PlaylistPosition, pages: Int) {
        var position = position
        for _ in 0..<pages {
            let total = frameCount(at: position.turn)
            if position.frame >= total {
                follow(&position)
                if position.hasEnded { return }
            }
            if isClip(position.turn) {
                position.frame = frameCount(at: position.turn)
                continue
            }
            let page = position.frame / PageLength.frames
            guard cache.want(item: item(at: position.turn), page: page) else { return }
            position.frame = (page + 1) * PageLength.frames
            let length = blendFrames(at: position.turn)
            if length > 0, isLooping, position.frame > total - length {
                let into = max(0, position.frame - PageLength.frames - (total - length))
                wantHead(turn: position.turn, frame: into)
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
    func position(at frame: Int) -> PlaylistPosition? {
        var position = PlaylistPosition()
        position.frame = max(0, frame)
        if loopsOne { return positionInOne(position) }
        var total = 0
        for turn in 0..<itemCount { total += frameCount(at: turn) }
        guard total > 0 else { return nil }
        if position.frame >= total {
            guard isLooping else { return nil }
            position.rounds = position.frame / total
            if loopCount > 0, position.rounds >= loopCount { return nil }
            position.frame %= total
        }
        while position.frame >= frameCount(at: position.turn) {
            position.frame -= frameCount(at: position.turn)
            position.turn += 1
        }
        return position
    }

    @_noLocks
    private func positionInOne(_ asked: PlaylistPosition) -> PlaylistPosition? {
        var position = asked
        let total = frameCount(at: 0)
        guard position.frame >= total else { return position }
        guard isLooping, total > 0 else { return nil }
        let length = blendFrames(at: 0)
        position.rounds = 1 + (position.frame - total) / (total - length)
        if loopCount > 0, position.rounds >= loopCount { return nil }
        position.frame = length + (position.frame - total) % (total - length)
        return position
    }
}
