internal import CRealtime

// The work of a player in addition to its sound: it requests pages and publishes reports.
extension PlayerKernel {
    @_noLocks
    mutating func afterwards(frames: Int) {
        if traits.isLive {
            cueAhead(frames: frames)
            if lackFrames > toldLackFrames, !isLacking, !reel.isStream(selected.turn) {
                reel.cache.tell(.starved(frames: lackFrames - toldLackFrames))
                toldLackFrames = lackFrames
            }
            if reel.cache.isDue { plan() }
        }
        reel.cache.wake()
        report()
    }

    var isLacking: Bool {
        @_noLocks get {
            for place in 0..<deckCount where decks[place].isLacking { return true }
            return false
        }
    }

    /// Requests the pages that are needed soon: first for active voices, then for possible starts.
    @_noLocks
    mutating func plan() {
        reel.cache.beginPlan()
        for place in 0..<deckCount where decks[place].isOn || decks[place].phase == .leaving {
            // A stream is read in order, so only the newest voice requests its pages.
            if reel.isStream(decks[place].place.turn), place != current { continue }
            reel.want(
                after: decks[place].place,
                pages: decks[place].phase == .leaving ? 1 : traits.aheadPages)
        }
        if let start = queue.first {
            reel.want(after: start.place, pages: traits.aheadPages)
        }
        let playing = current
        let turn = playing >= 0 ? decks[playing].origin.turn : selected.turn
        if playing >= 0 {
            if !decks[playing].isOn { reel.want(after: decks[playing].place, pages: 2) }
        } else if !reel.isStream(selected.turn) {
            reel.want(after: selected, pages: min(6, traits.aheadPages))
        }
        reel.wantHead(turn: turn, frame: 0)
        if reel.itemCount > 1 {
            reel.wantHead(turn: (turn + 1) % reel.itemCount, frame: 0)
            reel.wantHead(turn: (turn + reel.itemCount - 1) % reel.itemCount, frame: 0)
        } else if reel.isLooping {
            reel.wantHead(turn: turn, frame: reel.blendFrames(at: turn))
        }
        reel.cache.endPlan()
    }

    @_noLocks
    func report() {
        let playing = current
        let origin =
            playing >= 0 ? decks[playing].origin : (turn: selected.turn, frame: selected.frame)
        let total = reel.knownFrames(at: origin.turn)
        var voices = 0
        for place in 0..<deckCount where decks[place].phase == .sounding { voices += 1 }
        reports[0] = Float(Double(origin.frame) / traits.sampleRate)
        reports[1] = Float(Double(total) / traits.sampleRate)
        reports[2] = Float(reel.item(at: origin.turn) + 1)
        reports[3] = voices > 0 ? 1 : 0
        reports[4] = Float(voices)
        let isFilling = isLacking || playing >= 0 && decks[playing].phase == .waiting
        reports[5] =
            isFilling
            ? 100 * Float(reel.cache.presentCount) / Float(max(1, reel.cache.wantedCount)) : 100
        reports[6] = Float(lackFrames)
    }
}
