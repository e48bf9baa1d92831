internal import Engine
internal import Pipelines

// One show in the place of another.

extension Show {
    /// Takes the place of a show that plays no more: whoever listened to it, and what belongs to the night.
    ///
    /// To be called before anything of it is played. Whoever listens is to be told `Notice.structure` afterwards.
    ///
    /// - Parameter former: It has no listeners any more, and tells nobody of its signals.
    public func succeed(_ former: Show) {
        (listeners, former.listeners) = (former.listeners, [:])
        former.onOutside = nil
        taps = former.taps
        if former.tempo != tempo { setTempo(former.tempo) }
        (isMuted, gainDecibels) = (former.isMuted, former.gainDecibels)
        engine.begin(isMuted: isMuted, masterGain: masterGain)
        if former.learning != nil { tell("learn", .text("")) }
        if case .refused = tune(to: former.tunedInput) { tell("tuner", .text("")) }
    }

    /// Whether songs can be followed like edited ones, in the ports that there are.
    public func hasRoom(for newSongs: [Song]) -> Bool {
        var signals = outside
        return newSongs.allSatisfy { signals.add($0.pipeline) }
    }

    /// Follows songs of another session like edited ones; the night's tempo stays.
    ///
    /// Whoever listens is told `Notice.structure` once they play.
    public func turn(to newSongs: [Song]) {
        let nightTempo = tempo
        edited(newSongs)
        if tempo != nightTempo { setTempo(nightTempo) }
        // There is nothing that would have to be prepared.
        if wishes.edit == nil, preparer.purpose != .edit { tell(.structure) }
    }
}
