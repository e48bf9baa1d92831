internal import Engine
internal import Pipelines
internal import Processing

// What changes while it plays: edited files, formats, panic.

extension Show {
    /// Follows edited files: what stays goes on, what is new fades in, what is gone rings out.
    ///
    /// Values that the files give otherwise than before move; those that were moved live and not edited stay.
    ///
    /// - Parameter newSongs: All songs as they are now, at least one.
    public func edited(_ newSongs: [Song]) {
        guard newSongs != songs else { return }
        let place =
            newSongs.firstIndex { $0.name == songs[song].name }
            ?? min(song, newSongs.count - 1)
        guard let signals = signals(with: newSongs) else { return }
        let (old, new) = (pipeline, newSongs[place].pipeline)
        // What is ready was ready for other songs.
        standby = [:]
        wishes.song = nil
        refusedSongs = []
        songs = newSongs
        song = place
        use(signals)
        guard new != old else {
            prepareNext()
            return
        }
        let wished = new.holding(merge(old, into: new))
        if !new.scenes.contains(where: { $0.name == scene }) { scene = nil }
        if new.tempo != old.tempo { setTempo(new.tempo) }
        events.append(.reloaded(song: place))
        if let edited = new.editedScene(since: old) { tell(scene: edited) }
        if !preparesEdit, new.differsOnlyInValues(from: playing.pipeline) {
            move(to: Values(of: wished))
            wishes.edit = nil
        } else {
            wish(for: wished)
        }
        prepareNext()
    }

    /// Whether what is being prepared is another pipeline than the one that plays, and will take its place.
    private var preparesEdit: Bool {
        switch preparer.purpose {
        case .edit: true
        case .anew: fresh?.edit != nil
        case .song, .settle, nil: false
        }
    }

    /// The signals with the outside that old and new songs need together; nil where they do not go together.
    private func signals(with newSongs: [Song]) -> Outside? {
        var signals = outside
        for song in newSongs where !signals.add(song.pipeline) {
            events.append(
                .refused(
                    PreparationFault(
                        node: song.name, plugin: "",
                        fault: PluginFault(
                            "its inputs and outputs do not go together with those that play"))))
            return nil
        }
        return signals
    }

    /// What each value shall be: as edited where the edit gave another one, else as it is now.
    private func merge(_ old: Pipeline, into new: Pipeline) -> Values {
        var merged = Values(of: new)
        let before = Values(of: old)
        let sceneAddresses = new.editedScene(since: old)?.changes.map(\.address) ?? []
        for address in new.addresses where !sceneAddresses.contains(address) {
            guard let former = new.counterpart(of: address, in: old),
                before[former] == merged[address],
                let live = new.counterpart(of: address, in: playing.pipeline), values.has(live)
            else { continue }
            merged[address] = values[live]
        }
        return merged
    }

    /// Moves all values that differ.
    private func move(to wished: Values) {
        for address in playing.pipeline.addresses where values[address] != wished[address] {
            move(address, to: wished[address])
        }
    }

    /// Has a pipeline take the place of the one that plays; what moves until then stays moved.
    func wish(for edited: Pipeline) {
        wishes.edit = edited
        valuesAtWish = values
    }

    func prepareEdit(_ edited: Pipeline) {
        // One crossfade after the other.
        guard isSpliced else { return }
        guard playing.plan.format == format else { return prepareAnew() }
        guard hasRoom() else { return }
        wishes.edit = nil
        wishes.realigns = false
        let (catalogue, outside, old) = (catalogue, outside, playing)
        base = old
        preparer.prepare(for: .edit) { () throws(PreparationFault) in
            try Schedule(
                preparing: edited, catalogue: catalogue, outside: outside, after: old,
                hasSettled: !old.isTransition)
        }
    }

    func takeOver(edited schedule: Schedule) {
        // Another song may have begun since.
        guard base === playing else { return }
        let old = playing.pipeline
        guard exchange(schedule, .splice) else {
            // Unless the file was edited once more since.
            if wishes.edit == nil { wishes.edit = schedule.pipeline }
            return
        }
        // Nodes that stayed have the values that they had.
        let wished = Values(of: schedule.pipeline)
        var actual = wished
        var moved: [Pipeline.Change] = []
        for address in schedule.pipeline.addresses {
            guard let former = schedule.pipeline.counterpart(of: address, in: old),
                values.has(former)
            else { continue }
            actual[address] = values[former]
            if let valuesAtWish, valuesAtWish.has(former), valuesAtWish[former] != values[former] {
                moved.append(.init(address: address, value: values[former]))
            }
        }
        values = actual
        move(to: wished)
        // What somebody has moved while it was prepared.
        for change in moved { move(change.address, to: change.value) }
        valuesAtWish = values
        tell(.structure)
    }

    func prepareSettled() {
        guard hasRoom() else { return }
        let (catalogue, outside, old) = (catalogue, outside, playing)
        let pipeline = old.pipeline
        base = old
        preparer.prepare(for: .settle) { () throws(PreparationFault) in
            try Schedule(
                preparing: pipeline, catalogue: catalogue, outside: outside, after: old,
                hasSettled: true)
        }
    }

    func settle(into schedule: Schedule) {
        guard base === playing, exchange(schedule, .splice) else { return }
        var needed = outside
        needed.keep(songs.map(\.pipeline))
        use(needed)
    }

    // MARK: Afresh

    func prepareAnew() {
        guard hasRoom() else { return }
        wishes.freshens = false
        wishes.realigns = false
        let (catalogue, format, outside) = (catalogue, format, outside)
        let pipeline = wishes.edit ?? playing.pipeline.holding(values)
        fresh = Fresh(values: values, edit: wishes.edit)
        wishes.edit = nil
        base = playing
        preparer.prepare(for: .anew) { () throws(PreparationFault) in
            try Schedule(
                preparing: pipeline, catalogue: catalogue, format: format, outside: outside)
        }
    }

    func takeOver(fresh schedule: Schedule) {
        guard base === playing, schedule.plan.format == format else {
            freshenAgain()
            return
        }
        let wished = valuesNow(in: schedule.pipeline)
        let isTaken: Bool
        // Prepared for something else, it may come before a panic is silent: that one goes on, and is followed by another.
        let isSilent = wishes.panic == .silent
        if isSilent {
            isTaken = exchange(schedule, .replace)
        } else {
            let isSameRate = schedule.plan.format.sampleRate == playing.plan.format.sampleRate
            let seconds = isSameRate ? pipeline.tailSeconds : 0
            isTaken = exchange(
                schedule, .ringOut(tailFrames: Int64(seconds * schedule.plan.format.sampleRate)))
        }
        guard isTaken else {
            freshenAgain()
            return
        }
        if isSilent {
            send(.resume)
            wishes.panic = .none
        }
        values = Values(of: schedule.pipeline)
        move(to: wished)
        if fresh?.edit != nil { tell(.structure) }
    }

    /// Prepares afresh once more, with the edit that the last time was for, unless it is of another song.
    private func freshenAgain() {
        wishes.freshens = true
        if base === playing, wishes.edit == nil { wishes.edit = fresh?.edit }
    }

    /// A fresh pipeline's values, with what has moved in the one that plays since it began to be prepared.
    private func valuesNow(in pipeline: Pipeline) -> Values {
        var wished = Values(of: pipeline)
        for address in pipeline.addresses {
            guard let here = pipeline.counterpart(of: address, in: playing.pipeline),
                values.has(here), let before = fresh?.values, before[here] != values[here]
            else { continue }
            wished[address] = values[here]
        }
        return wished
    }

    /// Silence now: what sounds ends, and all is prepared afresh with the values that it has.
    func panic() {
        guard wishes.panic == .none, engine.send(.silence) else { return }
        wishes.panic = .silencing
        events.append(.panic)
    }
}

extension Pipeline {
    /// The scene that an edit puts on: the one at load, where it was another one before.
    fileprivate func editedScene(since old: Pipeline) -> Scene? {
        guard let scene = initialScene.map({ scenes[$0] }),
            scene.name != old.initialScene.map({ old.scenes[$0].name })
        else { return nil }
        return scene
    }

    /// Whether another pipeline is played by the same schedule with other values.
    fileprivate func differsOnlyInValues(from other: Pipeline) -> Bool {
        var (one, two) = (self, other)
        for place in one.nodes.indices where two.nodes.indices.contains(place) {
            one.nodes[place].values = two.nodes[place].values
            one.nodes[place].isBypassed = two.nodes[place].isBypassed
            one.nodes[place].mix = two.nodes[place].mix
        }
        (one.name, one.summary, one.initialScene, one.tempo) = (
            two.name, two.summary, two.initialScene, two.tempo
        )
        return one == two
    }
}
