internal import Engine
package import Pipelines
internal import Processing

/// The current song of a session, with its scene and its live values.
///
/// Each change goes to the engine, is stored, and is published.
package final class CurrentSong {
    private let engine: any CommandSink
    private let commands: CommandQueue
    private let events: EventStream
    private let master: MasterSection

    /// All songs, the current one, and the scene in effect.
    package private(set) var list: SongList
    /// The values of the current song.
    package private(set) var values: LiveValues
    /// The live state while `compare` lets the saved values sound; `nil` otherwise.
    private var hiddenState: SongState?
    /// Whether an edit of the file is not active yet and will be announced.
    private(set) var hasUnannouncedEdit = false

    /// The end of an edit that was to be announced.
    package enum EditEnd: Equatable {
        /// The edit is active, or another song has begun before it was.
        case over
        /// The edit could not be prepared, for this reason.
        case failed(String)
    }

    /// Called when an edit that was to be announced ends.
    var onEditEnd: ((EditEnd) -> Void)?

    /// Creates the first song of a session.
    ///
    /// - Parameters:
    ///   - list: All songs.
    ///   - pipeline: The pipeline of the active schedule.
    ///   - master: Follows the tempo of the songs.
    ///   - engine: Takes changes of values and scenes.
    ///   - commands: Sends the messages of scenes, which may wait.
    ///   - events: Sends changes to watchers.
    package init(
        in list: SongList, playing pipeline: Pipeline, master: MasterSection,
        engine: any CommandSink, commands: CommandQueue, events: EventStream
    ) {
        self.engine = engine
        self.list = list
        self.master = master
        self.commands = commands
        self.events = events
        values = LiveValues(atStartOf: pipeline)
    }

    /// The song.
    package var song: Song { list.current }

    /// The pipeline of the song, with the values from its file.
    package var pipeline: Pipeline { song.pipeline }

    // MARK: Songs

    /// Makes another song the current one, with the values of the active pipeline.
    ///
    /// The state of the previous song is kept.
    ///
    /// - Parameters:
    ///   - index: The index of the song.
    ///   - pipeline: The pipeline of the active schedule.
    package func begin(_ index: Int, playing pipeline: Pipeline) {
        let previousTempo = self.pipeline.tempo
        list.keep(state.withoutOuterValues(of: self.pipeline))
        let hidden = hiddenChanges.map { (values.pipeline.text(of: $0.address), $0.value) }
        hiddenState = nil
        let wasEdited = hasUnannouncedEdit
        hasUnannouncedEdit = false
        list.select(index)
        values = LiveValues(atStartOf: pipeline, keepingOuterValuesOf: values)
        showOuterValues(hidden)
        if let scene = list.scene { events.publish(.scene(name: scene)) }
        // A tempo that was set live remains if both songs have the same tempo.
        if self.pipeline.tempo != previousTempo { master.setTempo(self.pipeline.tempo) }
        events.publish(.addressesChanged)
        events.publish("song", .text(song.name))
        announceDisplay()
        events.publish(.song(number: index + 1, name: song.name))
        events.publish(.overviewChanged(list.overview))
        if wasEdited { onEditEnd?(.over) }
    }

    /// Restores the live values of outer nodes that `compare` had hidden.
    ///
    /// - Parameter hidden: The hidden values with their addresses as text.
    private func showOuterValues(_ hidden: [(String, Float)]) {
        for (text, value) in hidden {
            guard case .success(let address) = values.pipeline.address(text),
                values.pipeline.isOuter(node: address.node)
            else { continue }
            move(.init(address: address, value: value))
        }
    }

    /// Publishes the notes and the color of the song, if the setlist has any.
    private func announceDisplay() {
        for entry in SongDisplay(of: list).entries { events.publish(entry.address, entry.value) }
    }

    /// Remembers that a song could not be prepared.
    package func markUnpreparable(_ index: Int) { list.markUnpreparable(index) }

    /// Allows another attempt to prepare a song.
    package func allowPreparation(of index: Int) { list.allowPreparation(of: index) }

    // MARK: State

    /// The scene in effect and the live values that differ from the file, even while `compare` lets
    /// the saved values sound.
    package var state: SongState {
        SongState(of: liveValues, scene: list.scene, file: pipeline)
    }

    /// The live values that differ from the file with the scene in effect, including the activity
    /// of players and recorders.
    package var movedValues: [AddressValue] {
        liveValues.differences(from: pipeline, scene: list.scene, includingTransport: true).map {
            AddressValue(pipeline.text(of: $0.address), pipeline.value($0.value, at: $0.address))
        }
    }

    /// The live values, even while `compare` lets the saved ones sound.
    private var liveValues: LiveValues {
        var live = values
        for change in hiddenChanges { live[change.address] = change.value }
        return live
    }

    /// Forgets the states of the songs that were left.
    package func forgetStates() { list.forgetStates() }

    /// Whether `compare` lets the saved values sound.
    package var isHearingSaved: Bool { hiddenState != nil }

    /// Switches between the values of the file with the scene in effect and the live ones.
    ///
    /// - Parameter origin: The origin of the request. Another program does not change the
    ///   parameters of a node whose setting `remote` is off.
    /// - Returns: The values that sound now; `nil` if all values are as in the file.
    package func compare(from origin: RequestOrigin) -> ComparedValues? {
        if hiddenState != nil {
            showLive()
            return .live
        }
        let state = state
        let saved = ParameterValues(atStartOf: pipeline.beginning(withSceneNamed: list.scene))
        let changes = values.differences(from: pipeline, scene: list.scene).filter {
            origin == .here || !pipeline.refusesRemote($0.address)
        }
        guard !changes.isEmpty else { return nil }
        hiddenState = state
        for change in changes {
            guard let live = values.address(for: change.address, of: pipeline) else { continue }
            move(.init(address: live, value: saved[change.address]))
        }
        events.publish(.compared(.saved))
        return .saved
    }

    /// The changes from the saved values that sound to the live ones.
    private var hiddenChanges: [Pipeline.Change] {
        (hiddenState?.changes(in: pipeline) ?? []).compactMap { change in
            values.address(for: change.address, of: pipeline).map {
                Pipeline.Change(address: $0, value: change.value)
            }
        }
    }

    /// Lets the live values sound again after `compare`.
    ///
    /// - Parameter kept: The addresses that keep the values which they have now.
    private func showLive(except kept: Set<Pipeline.Address> = []) {
        guard hiddenState != nil else { return }
        for change in hiddenChanges where !kept.contains(change.address) { move(change) }
        hiddenState = nil
        events.publish(.compared(.live))
    }

    // MARK: Values

    /// Sends a change of a value to the engine, and stores the value.
    package func move(_ change: Pipeline.Change) {
        let command = Command.set(
            node: Int32(change.address.node), target: change.address.target.eventTarget,
            value: change.value, frame: 0)
        guard engine.send(command) else { return }
        set(change)
    }

    /// Moves a value to another over a time.
    package func fade(_ change: Pipeline.Change, _ manner: FadeManner) {
        guard manner.seconds > 0 else { return move(change) }
        let parameter = values.pipeline.parameter(at: change.address)
        let command = Command.fade(
            node: Int32(change.address.node), target: change.address.target.eventTarget,
            value: change.value, Fade(manner, of: parameter), frame: 0)
        guard engine.send(command) else { return }
        beginFade(change)
    }

    /// Stores the target of a fade that the engine starts.
    private func beginFade(_ change: Pipeline.Change) {
        guard !values.pipeline.parameter(at: change.address).isTrigger else { return }
        values.beginFade(of: change.address, to: change.value)
    }

    /// Stores the current value of a fade in the engine, and publishes it.
    ///
    /// - Parameters:
    ///   - node: The index of the node.
    ///   - target: The target of the engine's event.
    ///   - value: The current value.
    ///   - goal: The value at the end of the fade.
    ///   - isOver: Whether the fade has ended.
    ///   - pipeline: The pipeline that the engine plays.
    package func followFade(
        node: Int32, target: Int32, value: Float, goal: Float, isOver: Bool, in pipeline: Pipeline
    ) {
        guard
            let address = Pipeline.Address(node: Int(node), eventTarget: target, in: pipeline),
            let live = values.address(for: address, of: pipeline),
            !values.pipeline.parameter(at: live).isTrigger,
            values.followFade(of: live, at: value, to: goal, isOver: isOver), events.isWatched
        else { return }
        events.publish(.valueChanged(values.entry(at: live)))
    }

    /// Forgets the current values of fades, because the engine plays another schedule.
    package func forgetFades() { values.forgetFades() }

    /// Stops what nodes play.
    func stop(_ manner: PlaybackStop.Manner) {
        for (change, seconds) in PlaybackStop(manner).changes(in: values.pipeline) {
            if let seconds {
                let command = Command.set(
                    node: Int32(change.address.node), target: PlaybackTarget.stopSeconds,
                    value: seconds, frame: 0)
                guard engine.send(command) else { continue }
            }
            move(change)
        }
    }

    /// Moves all values to those of a pipeline with the same nodes.
    package func moveValues(to wanted: Pipeline) {
        for change in values.changes(to: ParameterValues(atStartOf: wanted)) { move(change) }
    }

    /// Stores a value that MIDI has changed in the engine.
    ///
    /// - Parameters:
    ///   - node: The index of the node.
    ///   - target: The target of the engine's event.
    ///   - value: The value.
    ///   - pipeline: The pipeline that the engine plays.
    /// - Returns: The change; `nil` if the active pipeline does not have the value.
    @discardableResult
    package func receiveMove(
        node: Int32, target: Int32, value: Float, in pipeline: Pipeline
    ) -> Pipeline.Change? {
        guard
            let address = Pipeline.Address(node: Int(node), eventTarget: target, in: pipeline),
            let live = values.address(for: address, of: pipeline)
        else { return nil }
        let change = Pipeline.Change(address: live, value: value)
        set(change)
        return change
    }

    /// Stores a value that the engine receives with a schedule.
    package func store(_ change: Pipeline.Change) { set(change) }

    /// Stores a value that the engine has, and publishes it.
    private func set(_ change: Pipeline.Change) {
        guard !values.pipeline.parameter(at: change.address).isTrigger else { return }
        values[change.address] = change.value
        // Only watchers need the text.
        if events.isWatched { events.publish(.valueChanged(values.entry(at: change.address))) }
    }

    // MARK: Scenes

    /// Applies a scene of the active pipeline.
    package func apply(scene index: Int, of pipeline: Pipeline) {
        guard engine.send(.scene(Int32(index))) else { return }
        follow(pipeline.scenes[index], of: pipeline)
    }

    /// Sends the messages of scenes of the active pipeline, which are not applied again.
    package func sendMessages(ofScenes indices: [Int]) {
        for index in indices { commands.send(.sceneMessages(Int32(index))) }
    }

    /// Continues with an active pipeline that differs only in settings; `follow` stores the values.
    package func followSettings(of pipeline: Pipeline) { values.followSettings(of: pipeline) }

    /// Lets the live values sound again after `compare`, because a scene begins.
    package func endComparison(keeping scene: Pipeline.Scene, of pipeline: Pipeline) {
        showLive(except: Set(scene.changes.map(\.address)))
    }

    /// Stores the values of a scene that the engine applies.
    package func follow(_ scene: Pipeline.Scene, of pipeline: Pipeline) {
        let changes = scene.changes.compactMap { change in
            values.address(for: change.address, of: pipeline).map {
                (
                    live: Pipeline.Change(address: $0, value: change.value),
                    fades: pipeline.manner(of: change, in: scene).seconds > 0
                )
            }
        }
        showLive(except: Set(changes.map(\.live.address)))
        for (change, fades) in changes {
            if fades { beginFade(change) } else { set(change) }
        }
        announce(scene)
    }

    /// Notes that a scene is in effect because its values in the file now equal the live values.
    package func adoptScene(_ name: String) {
        guard name != list.scene,
            let scene = pipeline.scenes.first(where: { $0.name == name })
        else { return }
        announceUnapplied(scene)
    }

    /// Announces a scene that is in effect although the engine has not applied it.
    private func announceUnapplied(_ scene: Pipeline.Scene) {
        cancelFollow()
        announce(scene)
    }

    /// Cancels the scene that would follow automatically.
    package func cancelFollow() { commands.send(.cancelFollow) }

    private func announce(_ scene: Pipeline.Scene) {
        list.setScene(scene.name)
        events.publish("scene", .text(scene.name))
        events.publish(.scene(name: scene.name))
    }

    // MARK: Edits

    /// Follows an edit that changes none of the songs, such as one of the setlist's name or errors.
    package func follow(unchangedSongsOf edited: SongCollection) {
        let isRenamed = edited.name != list.name
        list.adoptHead(of: edited)
        if isRenamed { events.publish(.overviewChanged(list.overview)) }
    }

    /// Replaces all songs with edited ones.
    package func replaceList(with edited: SongCollection) {
        list.replace(with: edited)
        announceDisplay()
        events.publish(.overviewChanged(list.overview))
    }

    /// Begins an edit of the song.
    ///
    /// - Parameters:
    ///   - old: The pipeline before the edit.
    ///   - new: The edited pipeline.
    ///   - kept: The texts of addresses that keep their live values because the session itself has
    ///     edited them in the file; `nil` for an edit by the user or another program, which
    ///     `finishEdit` announces.
    /// - Returns: The edited pipeline, with the values that were changed live and not edited.
    package func beginEdit(
        of old: Pipeline, into new: Pipeline, keeping kept: Set<String>? = nil
    ) -> Pipeline {
        let merged = values.merged(editing: old, into: new, keeping: kept ?? [])
        let wanted = SettingDifferences(from: old, to: values.pipeline).applied(to: new)
            .starting(with: merged).adoptingReductions(of: values.pipeline)
        list.forgetMissingScene()
        if new.tempo != old.tempo { master.setTempo(new.tempo) }
        if kept == nil { hasUnannouncedEdit = true }
        if let edited = new.editedScene(since: old) { announceUnapplied(edited) }
        return wanted
    }

    /// Announces that the last edit is active, unless the session itself has made it.
    package func finishEdit() {
        guard hasUnannouncedEdit else { return }
        hasUnannouncedEdit = false
        events.publish(.reloaded(pipeline: song.name))
        onEditEnd?(.over)
    }

    /// Forgets the last edit, because it could not be prepared for the given reason.
    package func abandonEdit(_ reason: String) {
        guard hasUnannouncedEdit else { return }
        hasUnannouncedEdit = false
        onEditEnd?(.failed(reason))
    }

    /// Continues with an edited pipeline that is active.
    ///
    /// - Parameters:
    ///   - pipeline: The active pipeline.
    ///   - valuesAtRequest: The values when the edit was requested; later changes remain.
    package func follow(_ pipeline: Pipeline, valuesAtRequest: ParameterValues?) {
        let changes = values.follow(pipeline, valuesAtRequest: valuesAtRequest)
        for change in changes { move(change) }
    }

    /// Continues with new processors for the same or an edited pipeline.
    ///
    /// - Parameters:
    ///   - pipeline: The active pipeline.
    ///   - valuesAtRequest: The values when the processors were requested; later changes remain.
    package func restart(with pipeline: Pipeline, valuesAtRequest: ParameterValues) {
        let changes = values.restart(with: pipeline, valuesAtRequest: valuesAtRequest)
        for change in changes { move(change) }
    }
}

extension Pipeline.Address {
    /// Creates the address that a report refers to; `nil` if the pipeline does not have it.
    fileprivate init?(node: Int, eventTarget: Int32, in pipeline: Pipeline) {
        guard pipeline.nodes.indices.contains(node) else { return nil }
        let target: Target
        switch eventTarget {
        case Self(node: node, target: .bypass).target.eventTarget: target = .bypass
        case Self(node: node, target: .mix).target.eventTarget: target = .mix
        default:
            guard pipeline.nodes[node].parameters.indices.contains(Int(eventTarget)) else {
                return nil
            }
            target = .parameter(Int(eventTarget))
        }
        self.init(node: node, target: target)
    }
}
