internal import CRealtime

// The work of a player in addition to its sound: it requests pages and publishes reports.
extension PlayerKernel {
    @_noLocks
    mutating func afterwards(frames: Int) {
        if traits.isLive {
            cueAhead(frames: frames)
            if lackFrames > reportedLackFrames, !isLacking, !playlist.isStream(selected.turn) {
                playlist.cache.send(.starved(frames: lackFrames - reportedLackFrames))
                reportedLackFrames = lackFrames
            }
            if playlist.cache.isDue { plan() }
        }
        playlist.cache.wake()
        report()
    }

    var isLacking: Bool {
        @_noLocks get {
            for index in 0..<voiceCount where voices[index].isLacking { return true }
            return false
        }
    }

    /// Requests the pages that are needed soon: first for active voices, then for possible starts.
    @_noLocks
    mutating func plan() {
        playlist.cache.beginPlan()
        for index in 0..<voiceCount where voices[index].isOn || voices[index].phase == .leaving {
            // A stream is read in order, so only the newest voice requests its pages.
            if playlist.isStream(voices[index].position.turn), index != current { continue }
            playlist.want(
                after: voices[index].position,
                pages: voices[index].phase == .leaving ? 1 : traits.aheadPages)
        }
        if let start = queue.first {
            playlist.want(after: start.position, pages: traits.aheadPages)
        }
        let playing = current
        let turn = playing >= 0 ? voices[playing].origin.turn : selected.turn
        if playing >= 0 {
            if !voices[playing].isOn { playlist.want(after: voices[playing].position, pages: 2) }
        } else if !playlist.isStream(selected.turn) {
            playlist.want(after: selected, pages: min(6, traits.aheadPages))
        }
        playlist.wantHead(turn: turn, frame: 0)
        if playlist.itemCount > 1 {
            playlist.wantHead(turn: (turn + 1) % playlist.itemCount, frame: 0)
            playlist.wantHead(turn: (turn + playlist.itemCount - 1) % playlist.itemCount, frame: 0)
        } else if playlist.isLooping {
            playlist.wantHead(turn: turn, frame: playlist.blendFrames(at: turn))
        }
        playlist.cache.endPlan()
    }

    @_noLocks
    func report() {
        let playing = current
        let origin =
            playing >= 0 ? voices[playing].origin : (turn: selected.turn, frame: selected.frame)
        let total = playlist.knownFrames(at: origin.turn)
        var soundingCount = 0
        for index in 0..<voiceCount where voices[index].phase == .sounding { soundingCount += 1 }
        reports[0] = Float(Double(origin.frame) / traits.sampleRate)
        reports[1] = Float(Double(total) / traits.sampleRate)
        reports[2] = Float(playlist.item(at: origin.turn) + 1)
        reports[3] = soundingCount > 0 ? 1 : 0
        reports[4] = Float(soundingCount)
        let isFilling = isLacking || playing >= 0 && voices[playing].phase == .waiting
        reports[5] =
            isFilling
            ? 100 * Float(playlist.cache.presentCount) / Float(max(1, playlist.cache.wantedCount))
            : 100
        reports[6] = Float(lackFrames)
    }
}
