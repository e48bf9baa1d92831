internal import Engine
internal import Pipelines
internal import Processing

// Songs: the one that plays, and its neighbours, which are ready.

extension Show {
    /// Plays a song as soon as it can be: with the next cycle where it is ready.
    func go(to place: Int) {
        guard place != song else {
            wishes.song = nil
            return
        }
        wishes.song = place
        refusedSongs.remove(place)
        if standby[place] != nil { play(place) } else { prepareNext() }
    }

    /// Lets the song that plays ring out, and another begin.
    func play(_ place: Int) {
        guard let schedule = standby[place] else { return }
        let seconds = pipeline.tailSeconds
        // One tail at a time: those of songs before end now.
        if former.contains(where: { $0.schedule != nil }) { send(.hush) }
        guard
            exchange(
                schedule, .ringOut(tailFrames: Int64(seconds * playing.plan.format.sampleRate)))
        else {
            wishes.song = place
            return
        }
        standby[place] = nil
        wishes.song = nil
        wishes.edit = nil
        wishes.realigns = false
        let formerTempo = pipeline.tempo
        begin(place)
        // A tempo that was set live holds where the songs have the same.
        if pipeline.tempo != formerTempo { setTempo(pipeline.tempo) }
        tell(.structure)
        tell("song", .text(songs[song].name))
        events.append(.song(song, name: songs[song].name))
    }

    /// Takes over a song's own values.
    private func begin(_ place: Int) {
        song = place
        values = Values(of: pipeline)
        scene = pipeline.initialScene.map { pipeline.scenes[$0].name }
        standby = standby.filter { neighbours.contains($0.key) }
        if let scene { events.append(.scene(name: scene)) }
    }

    /// The songs before and behind the one that plays.
    private var neighbours: [Int] {
        [song + 1, song - 1].filter { songs.indices.contains($0) }
    }

    /// Prepares a song that is wanted now; what rings makes room for it.
    func prepareWanted(_ place: Int) {
        guard standby[place] == nil else { return play(place) }
        standby = [:]
        if hasRoom() { prepareSong(place) }
    }

    /// Whether one more schedule may be made; where not, songs that wait for their turn make room for it, and then what rings.
    func hasRoom() -> Bool {
        // The next song is the last to go: it is the most likely to be wanted.
        let order = standby.keys.sorted { abs($0 - song - 1) > abs($1 - song - 1) }
        for place in order where aliveCount >= Self.mostSchedules { standby[place] = nil }
        guard aliveCount >= Self.mostSchedules else { return true }
        send(.hush)
        return false
    }

    /// Prepares a neighbour that is not ready, if there is room.
    func prepareNeighbour() {
        guard aliveCount < Self.mostSchedules,
            let next = neighbours.first(where: {
                standby[$0] == nil && !refusedSongs.contains($0)
            })
        else { return }
        prepareSong(next)
    }

    private func prepareSong(_ place: Int) {
        let (pipeline, catalogue, format, outside) = (
            songs[place].pipeline, catalogue, format, outside
        )
        preparer.prepare(for: .song(place)) { () throws(PreparationFault) in
            try Schedule(
                preparing: pipeline, catalogue: catalogue, format: format, outside: outside)
        }
    }
}
