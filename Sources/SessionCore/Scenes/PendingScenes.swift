internal import Engine
package import Pipelines
internal import Processing

/// The scenes that were called and are not applied yet, and the changes since the first of them, in
/// order.
package struct PendingScenes {
    /// One step.
    package enum Step: Equatable {
        /// The call of a scene, by its name. If the audio thread has applied its values, its actions
        /// have already acted.
        case scene(String, isApplied: Bool)
        /// A value that was changed after the call of a scene, and is in effect.
        case move(Pipeline.Change)
    }

    /// The steps, the earliest first.
    package private(set) var steps: [Step] = []
    /// The names of the scenes whose messages are not sent yet, in the order of their calls: every
    /// call sends the messages of its scene once.
    package private(set) var unsentScenes: [String] = []

    /// Creates a value without scenes.
    package init() {}

    /// Whether no scene waits.
    package var isEmpty: Bool { steps.isEmpty }

    /// The name of the scene that was called last; `nil` if none waits.
    package var lastScene: String? {
        for case .scene(let name, _) in steps.reversed() { return name }
        return nil
    }

    /// The name of the scene that was called last, if the audio thread has not applied its values;
    /// otherwise `nil`.
    package var sceneToBegin: String? {
        for case .scene(let name, let isApplied) in steps.reversed() {
            return isApplied ? nil : name
        }
        return nil
    }

    /// Adds the call of a scene; the values of an earlier call of the same scene have no effect any
    /// more.
    ///
    /// - Parameters:
    ///   - name: The name of the scene.
    ///   - isApplied: Whether the audio thread has applied the values of the scene, and sent its
    ///     messages.
    package mutating func call(_ name: String, isApplied: Bool = false) {
        steps.removeAll { if case .scene(name, _) = $0 { true } else { false } }
        steps.append(.scene(name, isApplied: isApplied))
        if !isApplied { unsentScenes.append(name) }
    }

    /// Notes a change of a value; without a waiting scene, this does nothing.
    package mutating func note(_ change: Pipeline.Change) {
        guard !isEmpty else { return }
        steps.removeAll {
            if case .move(let earlier) = $0 { earlier.address == change.address } else { false }
        }
        steps.append(.move(change))
    }

    /// Removes all steps.
    package mutating func clear() { (steps, unsentScenes) = ([], []) }

    /// Removes the changes of values, whose addresses may not be valid any more.
    package mutating func forgetMoves() {
        steps.removeAll { if case .move = $0 { true } else { false } }
    }

    /// The settings and values after all steps.
    package struct Target: Equatable {
        /// The pipeline with the settings and values.
        package var pipeline: Pipeline
        /// The changes of values, in order.
        package var changes: [Pipeline.Change] = []
    }

    /// Returns the settings and values after all steps.
    ///
    /// - Parameters:
    ///   - live: The active pipeline with the live values.
    ///   - file: The pipeline of the song. A node whose settings in a scene cannot be used has those
    ///     of its file.
    ///   - hasFailed: Returns whether a node cannot be used with its settings.
    /// - Returns: The settings and values.
    package func target(
        from live: Pipeline, file: Pipeline, hasFailed: (Pipeline.Node) -> Bool
    ) -> Target {
        var target = Target(pipeline: live)
        for step in steps {
            let changes: [Pipeline.Change]
            switch step {
            case .move(let change): changes = [change]
            case .scene(let name, let isApplied):
                guard let scene = live.scenes.first(where: { $0.name == name }) else { continue }
                target.pipeline.apply(scene.settings, file: file, hasFailed: hasFailed)
                changes = scene.changes.filter {
                    !isApplied || !live.parameter(at: $0.address).isTrigger
                }
            }
            target.pipeline = target.pipeline.applying(changes)
            target.changes += changes
        }
        return target
    }
}

extension Pipeline {
    /// Applies the settings of a scene, except those of nodes that cannot use them.
    fileprivate mutating func apply(
        _ settings: [SceneSetting], file: Pipeline, hasFailed: (Node) -> Bool
    ) {
        let byNode = Dictionary(grouping: settings, by: \.node).sorted { $0.key < $1.key }
        for (index, settings) in byNode {
            let own = file.nodes.first { $0.id == nodes[index].id }
            let ofFile = settings.map {
                SceneSetting(
                    node: index, name: $0.name, value: own?.settings[$0.name],
                    durationSeconds: own?.durationSeconds)
            }
            for candidate in [settings, ofFile] {
                let changed = applyingSettings(candidate)
                guard !hasFailed(changed.nodes[index]) else { continue }
                self = changed
                break
            }
        }
    }
}
