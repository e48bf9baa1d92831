internal import Engine
internal import Pipelines
internal import Processing

/// Applies scenes: at once if they only change values, and otherwise together with the exchange of
/// the nodes whose settings they change.
///
/// An exchange waits until the crossfades of an earlier one have ended. Only the session's thread
/// uses this object.
final class SceneSwitches {
    private let current: CurrentSong
    private let pool: SchedulePool
    private let transitions: ScheduleTransitions
    private var pending = PendingScenes()

    /// Creates a part of a session without waiting scenes.
    init(current: CurrentSong, pool: SchedulePool, transitions: ScheduleTransitions) {
        self.current = current
        self.pool = pool
        self.transitions = transitions
    }

    private var active: Pipeline { pool.active.pipeline }

    // MARK: Calls

    /// Applies a scene of the active pipeline, given by its index.
    func call(_ index: Int, _ context: ScheduleTransitions.Context) {
        let scene = active.scenes[index]
        guard !pending.isEmpty || active.changesSettings(scene) else {
            return current.apply(scene: index, of: active)
        }
        pending.call(scene.name)
        current.cancelFollow()
        current.endComparison(keeping: scene, of: active)
        proceed(context)
    }

    /// Applies the scene with a name, if the active pipeline has it.
    func call(named name: String, _ context: ScheduleTransitions.Context) {
        if let index = active.scenes.firstIndex(where: { $0.name == name }) {
            call(index, context)
        }
    }

    /// Applies the scene that is a number of steps away from the one that was called last, if it
    /// exists.
    ///
    /// - Parameters:
    ///   - steps: 1 for the next scene, -1 for the previous one.
    ///   - wraps: Whether the list continues at its other end.
    ///   - context: The state of the session.
    func step(by steps: Int, wraps: Bool = false, _ context: ScheduleTransitions.Context) {
        let next = current.list.sceneIndex(
            stepping: steps, in: active.scenes, from: pending.lastScene, wraps: wraps)
        if let next { call(next, context) }
    }

    /// Notes that the audio thread has applied the values of a scene.
    func noteApplied(_ name: String) {
        if !pending.isEmpty { pending.call(name, isApplied: true) }
    }

    /// Notes that a value of the active pipeline was changed.
    func note(_ change: Pipeline.Change) { pending.note(change) }

    /// Forgets the waiting scenes, for example because another song is active.
    func clear() { pending.clear() }

    /// Keeps the waiting scenes although the active pipeline was replaced.
    func followEdit() { pending.forgetMoves() }

    // MARK: Exchange

    /// Applies the waiting scenes if that is possible now.
    func proceed(_ context: ScheduleTransitions.Context) {
        guard !pending.isEmpty else { return }
        let variants = pool.active.variants
        let target = pending.target(
            from: context.values.pipelineWithValues, file: current.pipeline,
            hasFailed: variants.hasFailed)
        if target.pipeline.hasSameSettings(as: active) {
            sendSteps()
        } else if transitions.exchangeSettings(
            target.pipeline, changes: target.changes, scene: sceneToBegin,
            sending: pending.unsentScenes.compactMap(index(ofScene:)), context)
        {
            current.followSettings(of: active)
            storeSteps()
        } else {
            return
        }
        pending.clear()
    }

    /// The index of the scene that was called last, unless the audio thread has applied its values.
    private var sceneToBegin: Int? {
        pending.sceneToBegin.flatMap(index(ofScene:))
    }

    /// Returns the index of a scene of the active pipeline.
    private func index(ofScene name: String) -> Int? {
        active.scenes.firstIndex { $0.name == name }
    }

    /// Sends the values of all steps to the engine, because no settings change.
    private func sendSteps() {
        var unsent = pending.unsentScenes[...]
        for step in pending.steps {
            switch step {
            case .move(let change): current.move(change)
            case .scene(let name, let isApplied):
                guard let index = index(ofScene: name) else { continue }
                guard isApplied else {
                    // The steps contain only the last call of each scene.
                    let last = unsent.lastIndex(of: name) ?? unsent.endIndex
                    current.sendMessages(ofScenes: unsent[..<last].compactMap(index(ofScene:)))
                    unsent = unsent[last...].dropFirst()
                    current.apply(scene: index, of: active)
                    continue
                }
                for change in active.scenes[index].changes
                where !active.parameter(at: change.address).isTrigger { current.move(change) }
                current.follow(active.scenes[index], of: active)
            }
        }
        current.sendMessages(ofScenes: unsent.compactMap(index(ofScene:)))
    }

    /// Stores the values of all steps, which the exchanged schedule brings.
    private func storeSteps() {
        for step in pending.steps {
            switch step {
            case .move(let change): current.store(change)
            case .scene(let name, _):
                guard let scene = active.scenes.first(where: { $0.name == name }) else { continue }
                current.follow(scene, of: active)
            }
        }
    }
}

extension Pipeline {
    /// Returns whether all nodes have the settings of another version of the pipeline.
    fileprivate func hasSameSettings(as other: Pipeline) -> Bool {
        nodes.elementsEqual(other.nodes) { $0.settings == $1.settings }
    }
}
