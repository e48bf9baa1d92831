package import Engine
package import Pipelines
package import Processing

/// Replaces the active schedule with a requested one: another song, an edited file, another format,
/// or new processors after a panic.
///
/// One schedule is prepared at a time, the most urgent first. Meanwhile the active one continues to
/// play.
package final class ScheduleTransitions {
    /// The state of the session that a schedule is prepared for.
    package struct Context {
        package let songs: SongList
        package let values: LiveValues
        package let ports: EnginePorts

        /// Creates a context from its parts.
        package init(songs: SongList, values: LiveValues, ports: EnginePorts) {
            self.songs = songs
            self.values = values
            self.ports = ports
        }
    }

    /// The outcome of a preparation.
    package enum Outcome {
        /// The active schedule remains active: the prepared one is kept for later, or is no longer
        /// needed.
        case unchanged
        /// A song is active, with its own values.
        case song(Int)
        /// An edited pipeline is active.
        case edit(Pipeline, valuesAtRequest: ParameterValues?)
        /// The same or an edited pipeline is active, with new processors.
        case restart(Pipeline, valuesAtRequest: ParameterValues, isEdit: Bool)
        /// The same pipeline is active, without the nodes that have rung out.
        case settled
        /// Nodes that scenes need are prepared; the error is `nil` unless there was too little memory.
        case variants(PreparationError?)
        /// The preparation failed; `song` is the index of the song if it was for one.
        case failed(PreparationError, song: Int?)
    }

    private let engine: any CommandSink
    private let commands: CommandQueue
    private let pool: SchedulePool
    /// The server's format, which the next schedules are prepared for.
    package private(set) var format: AudioFormat
    private var requests = TransitionRequests()
    private var preparation: SchedulePreparation
    /// The nodes that a scene waits for.
    private var requestedVariants: [Pipeline.Node] = []

    /// Creates transitions that start from the active schedule.
    ///
    /// - Parameters:
    ///   - pool: Contains the active schedule.
    ///   - catalogue: The catalogue that the songs were checked with.
    ///   - format: The format of the active schedule.
    ///   - preparer: Prepares schedules.
    ///   - engine: Is silenced at once by a panic.
    ///   - commands: Sends commands that may wait.
    ///   - isTolerant: Whether a stand-in replaces a node of a new song that cannot be prepared.
    package init(
        from pool: SchedulePool, catalogue: Catalogue, format: AudioFormat, preparer: Preparer,
        engine: any CommandSink, commands: CommandQueue, isTolerant: Bool = false
    ) {
        self.engine = engine
        self.pool = pool
        self.format = format
        self.commands = commands
        preparation = SchedulePreparation(
            catalogue: catalogue, preparer: preparer, isTolerant: isTolerant)
    }

    /// Whether an edited pipeline is requested or being prepared.
    package var hasEdit: Bool { requests.edit != nil || preparation.isForEdit }

    /// Whether the schedule that is being prepared has another pipeline than the active one.
    package var isPreparingEdit: Bool { preparation.hasEdit }

    /// The index of the requested song; `nil` if none is requested.
    package var requestedSong: Int? { requests.song }

    // MARK: Requests

    /// Requests schedules for another format.
    ///
    /// - Returns: Whether the format differs from the previous one.
    package func request(_ newFormat: AudioFormat) -> Bool {
        guard newFormat != format else { return false }
        format = newFormat
        pool.dropReadySongs()
        requests.requestRestart()
        return true
    }

    /// Requests a song; `nil` cancels the request, so that the current song continues.
    package func request(song index: Int?) { requests.request(song: index) }

    /// Requests an edited pipeline; changes to values during its preparation are kept.
    package func request(_ edited: Pipeline, values: ParameterValues) {
        requests.request(edited, values: values)
    }

    /// Notes the values after an edited pipeline became active, because another edit may already be
    /// requested.
    package func confirmEdit(values: ParameterValues) { requests.confirmEdit(values: values) }

    /// Withdraws the request for an edited pipeline, because the active schedule can play it.
    package func withdrawEdit() { requests.withdrawEdit() }

    /// Removes the ready schedules and the requested song, because the songs were edited.
    package func forgetSongs() {
        pool.dropReadySongs()
        requests.request(song: nil)
    }

    /// Removes the ready songs that were edited; a requested song is prepared again.
    ///
    /// - Parameter kept: The indices of the songs that were not edited.
    package func forgetEditedSongs(except kept: [Int]) { pool.dropReadySongs(except: kept) }

    /// Silences all sound and requests new processors.
    ///
    /// - Returns: Whether a panic begins; `false` if one is in progress or the engine's ring is
    ///   full.
    package func panic() -> Bool {
        guard !requests.isPanicking, engine.send(.silence) else { return false }
        requests.beginPanic()
        return true
    }

    /// Requests that the active pipeline is planned again, from the present times of its nodes.
    ///
    /// - Returns: Whether that is possible. It is not during a transition, after which the next
    ///   schedule uses these times anyway, nor if a ready song would have to go for it.
    package func planAgain() -> Bool {
        guard pool.isSpliced, !pool.active.isTransition, pool.hasRoom else { return false }
        requests.setSettlement(true)
        return true
    }

    // MARK: Reports

    /// Updates the requests from a report of the engine.
    package func receive(_ report: Report) {
        switch report {
        case .spliced: pool.markSpliced()
        case .settled: requests.setSettlement(pool.active.isTransition)
        case .silenced: requests.noteSilence()
        case .latency: requests.requestRealignment()
        default: break
        }
    }

    // MARK: Results

    /// Uses the schedule that was prepared last.
    ///
    /// - Returns: The outcome; `nil` if there is no result, or the schedule is prepared again.
    package func useResult(_ context: Context) -> Outcome? {
        guard let result = preparation.popResult() else { return nil }
        switch result.outcome {
        case .success(.schedule(let schedule)):
            return use(schedule, for: result.purpose, context) ?? .unchanged
        case .success(.song(let nodes)):
            keep(nodes, for: result.purpose, context)
            return .unchanged
        case .success(.variants): return .variants(nil)
        case .failure(let error): return fail(error, for: result.purpose)
        }
    }

    private func use(
        _ schedule: Schedule, for purpose: Preparer.Purpose, _ context: Context
    ) -> Outcome? {
        let songs = context.songs.songs
        switch purpose {
        case .song(let index)
        where schedule.plan.format == format && songs.indices.contains(index)
            && schedule.pipeline
                == context.songs.beginning(of: index)
                .adoptingStandIns(of: schedule.pipeline).atLoad:
            pool.keep(.schedule(schedule), forSong: index)
            return nil
        // The song was edited or the format changed during the preparation.
        case .song, .variants: return nil
        case .edit: return use(edited: schedule)
        case .settle: return requests.needsSettlement ? use(settled: schedule) : nil
        case .restart: return use(restarted: schedule, context)
        }
    }

    /// Keeps the nodes of a song unless the song was edited or the format changed meanwhile.
    private func keep(_ nodes: PreparedSong, for purpose: Preparer.Purpose, _ context: Context) {
        guard case .song(let index) = purpose, nodes.format == format,
            context.songs.songs.indices.contains(index),
            nodes.pipeline
                == context.songs.beginning(of: index).adoptingStandIns(of: nodes.pipeline).atLoad
        else { return }
        pool.keep(.nodes(nodes), forSong: index)
    }

    private func use(edited schedule: Schedule) -> Outcome? {
        // Another song may have begun during the preparation.
        guard preparation.isBased(on: pool.active) else { return nil }
        guard activate(schedule, .splice) else {
            requests.retry(schedule.pipeline)
            return nil
        }
        return .edit(schedule.pipeline, valuesAtRequest: requests.valuesAtEdit)
    }

    private func use(settled schedule: Schedule) -> Outcome? {
        preparation.isBased(on: pool.active) && activate(schedule, .splice) ? .settled : nil
    }

    private func use(restarted schedule: Schedule, _ context: Context) -> Outcome? {
        guard preparation.isBased(on: pool.active), schedule.plan.format == format else {
            restartAgain()
            return nil
        }
        // A schedule that was prepared for another reason may be ready before the panic has
        // silenced the engine. In that case the panic continues, and restarts again.
        let isSilent = requests.isSilent
        let manner: Command.Exchange =
            if isSilent { .replace } else {
                .ringOut(tailFrames: tailFrames(before: schedule, context))
            }
        schedule.keepScene()
        guard activate(schedule, manner) else {
            restartAgain()
            return nil
        }
        if isSilent { endPanic() }
        guard let restart = preparation.lastRestart else { return nil }
        return .restart(
            schedule.pipeline, valuesAtRequest: restart.values, isEdit: restart.edit != nil)
    }

    /// Returns the longest time for which the active schedule may ring out, in frames.
    private func tailFrames(before schedule: Schedule, _ context: Context) -> Int64 {
        let sampleRate = schedule.plan.format.sampleRate
        let isSameRate = sampleRate == pool.active.plan.format.sampleRate
        let seconds = isSameRate ? context.songs.current.pipeline.tailSeconds : 0
        return Int64(seconds * sampleRate)
    }

    /// Requests the last restart again, with its edit unless another song is active now.
    private func restartAgain() {
        requests.requestRestart()
        if preparation.isBased(on: pool.active) { requests.retry(preparation.lastRestart?.edit) }
    }

    private func endPanic() { if requests.endPanic() { commands.send(.resume) } }

    private func activate(_ schedule: Schedule, _ manner: Command.Exchange) -> Bool {
        guard pool.activate(schedule, manner) else { return false }
        requests.setSettlement(false)
        if schedule.pipeline.hasSettingsInScenes || schedule.pipeline.hasReducibleNodes {
            requests.requestVariants()
        }
        return true
    }

    private func fail(_ error: PreparationError, for purpose: Preparer.Purpose) -> Outcome? {
        if error.lacksMemory, tryAgainWithMoreMemory(for: purpose) { return nil }
        switch purpose {
        case .song(let index):
            requests.withdraw(song: index)
            return .failed(error, song: index)
        case .edit: break
        case .settle: requests.setSettlement(false)
        case .restart: endPanic()
        case .variants: return .variants(error)
        }
        return .failed(error, song: nil)
    }

    /// Removes the ready songs if a more urgent preparation lacked memory, and requests it again.
    ///
    /// - Returns: Whether the preparation is requested again.
    private func tryAgainWithMoreMemory(for purpose: Preparer.Purpose) -> Bool {
        guard pool.hasReadySongs else { return false }
        switch purpose {
        case .song(let index):
            guard requests.song == index else { return false }
        case .edit:
            // Another song may have begun during the preparation.
            guard preparation.isBased(on: pool.active) else { return false }
            requests.retry(preparation.edit)
        case .settle: break
        case .variants: requests.requestVariants()
        case .restart: restartAgain()
        }
        pool.dropReadySongs()
        return true
    }

    // MARK: Songs

    /// Makes the requested song active if it is ready; the current one rings out.
    ///
    /// - Returns: The outcome; `nil` if no song is requested, or it is not ready.
    package func playRequestedSong(_ context: Context) -> Outcome? {
        guard let index = requests.song, let ready = pool.readySong(index) else { return nil }
        let isContinuing =
            context.songs.songs[index].pipeline.continuingOuterNodes(of: pool.active.pipeline)
            != nil
        switch ready {
        case .nodes(let nodes) where isContinuing: return play(nodes, index, context)
        case .schedule(let schedule) where !isContinuing: return play(schedule, index, context)
        case .nodes, .schedule:
            // The outer level has changed since the preparation.
            pool.dropReadySong(index)
            return nil
        }
    }

    /// Makes a song that has a separate schedule active.
    private func play(_ schedule: Schedule, _ index: Int, _ context: Context) -> Outcome? {
        // Only one song rings out at a time: the tails of earlier songs end now.
        if pool.hasTails { commands.send(.endTails) }
        let seconds = context.songs.current.pipeline.tailSeconds
        let tailFrames = Int64(seconds * pool.active.plan.format.sampleRate)
        let scene = context.songs.sceneIndex(atBeginningOf: index)
        schedule.begin(withScene: scene)
        let song = Command.Exchange.song(
            tailFrames: tailFrames, scene: scene.map { Int32(clamping: $0) } ?? -1)
        guard activate(schedule, song) else { return nil }
        pool.dropReadySong(index)
        requests.finishSong()
        return .song(index)
    }

    /// Makes a song active within the outer level of the active schedule.
    ///
    /// It waits for the crossfades of the last exchange, and for an edit, which may change the
    /// outer level.
    private func play(_ nodes: PreparedSong, _ index: Int, _ context: Context) -> Outcome? {
        guard pool.isSpliced, !hasEdit, nodes.format == pool.active.plan.format else { return nil }
        let schedule: Schedule
        do {
            schedule = try Schedule(beginning: nodes, ports: context.ports, after: pool.active)
        } catch {
            pool.dropReadySong(index)
            return nil
        }
        let scene = context.songs.sceneIndex(atBeginningOf: index)
        schedule.begin(withScene: scene)
        let manner = Command.Exchange.outerSong(scene: scene.map { Int32(clamping: $0) } ?? -1)
        guard activate(schedule, manner) else { return nil }
        pool.dropReadySong(index)
        requests.finishSong()
        return .song(index)
    }

    // MARK: Settings of scenes

    /// Exchanges settings and values of the active pipeline at once, if that is possible.
    ///
    /// It is possible if all nodes are prepared and no other transition is in progress. Nodes that
    /// are not prepared are requested.
    ///
    /// - Parameters:
    ///   - pipeline: The active pipeline with the new settings and values.
    ///   - changes: The changes of values.
    ///   - scene: The index of the scene that begins with the exchange; `nil` if the audio thread
    ///     has begun it already.
    ///   - sent: The indices of the scenes whose messages go out with the exchange, in order.
    ///   - context: The state of the session.
    /// - Returns: Whether the pipeline is active now. If not, call this again later.
    package func exchangeSettings(
        _ pipeline: Pipeline, changes: [Pipeline.Change], scene: Int?, sending sent: [Int],
        _ context: Context
    ) -> Bool {
        guard pool.isSpliced, !preparation.isForActive, !requests.isBusy,
            pool.active.plan.format == format, hasRoom(context)
        else { return false }
        guard
            let schedule = Schedule(
                switching: pipeline, changes: changes, ports: context.ports, after: pool.active,
                hasSettled: !pool.active.isTransition)
        else {
            requestedVariants = zip(pipeline.nodes, pool.active.pipeline.nodes)
                .filter { !$0.runsLike($1) }.map(\.0)
            requests.requestVariants()
            return false
        }
        if let scene { schedule.begin(withScene: scene) }
        schedule.sendMessages(ofScenes: sent)
        return activate(schedule, .splice)
    }

    // MARK: Preparation

    /// Starts the most urgent preparation, unless one is in progress.
    ///
    /// - Returns: The outcome if a requested song was ready and is active now; otherwise `nil`.
    package func prepareNext(_ context: Context) -> Outcome? {
        // A song within an outer level waits for the engine, not for a preparation.
        if pool.active.pipeline.hasOuterSound, let outcome = playRequestedSong(context) {
            return outcome
        }
        guard preparation.isIdle else { return nil }
        switch requests.mostUrgent {
        case .restart: prepareRestart(context)
        case .song where pool.active.pipeline.hasOuterSound && requests.edit != nil:
            if let edited = requests.edit { prepare(edited, context) }
        case .song(let index):
            if pool.readySong(index) != nil { return playRequestedSong(context) }
            pool.dropReadySongs()
            if hasRoom(context) { prepareSong(index, context) }
        case .edit(let edited): prepare(edited, context)
        case .realignment:
            let pipeline = context.values.pipelineWithValues
            requests.request(pipeline, values: context.values.snapshot)
            prepare(pipeline, context)
        case .variants:
            requests.beginVariants()
            preparation.prepareVariants(of: pool.active, requested: requestedVariants)
            requestedVariants = []
        case .settlement where pool.isSpliced: prepareSettled(context)
        case .settlement, nil: prepareNeighbour(context)
        }
        return nil
    }

    private func hasRoom(_ context: Context) -> Bool {
        pool.makeRoom(keepingNearSong: context.songs.index)
    }

    private func prepareNeighbour(_ context: Context) {
        guard pool.hasRoom,
            let next = context.songs.preparableNeighbours.first(where: {
                pool.readySong($0) == nil
            })
        else { return }
        prepareSong(next, context)
    }

    private func prepareSong(_ index: Int, _ context: Context) {
        preparation.prepareSong(
            index, of: context.songs, after: pool.active, format: format, ports: context.ports)
    }

    private func prepare(_ edited: Pipeline, _ context: Context) {
        // The crossfades of the last exchange must end first.
        guard pool.isSpliced else { return }
        guard pool.active.plan.format == format else { return prepareRestart(context) }
        guard hasRoom(context) else { return }
        requests.beginEdit()
        preparation.prepareEdit(
            edited, of: context.songs, after: pool.active, ports: context.ports)
    }

    private func prepareSettled(_ context: Context) {
        // A new plan alone is not worth a ready song.
        guard pool.active.isTransition ? hasRoom(context) : pool.hasRoom else { return }
        preparation.prepareSettled(
            of: context.songs, after: pool.active, ports: context.ports)
    }

    private func prepareRestart(_ context: Context) {
        guard hasRoom(context) else { return }
        preparation.prepareRestart(
            with: requests.beginRestart(), values: context.values, of: context.songs,
            insteadOf: pool.active, format: format, ports: context.ports)
    }
}
