package import Pipelines

/// A step that a MIDI binding requests and that depends on the state of the session.
package enum BoundStep: Equatable {
    /// A scene, by its name.
    case scene(String)
    /// The next or previous scene; the list continues at its other end.
    case scenes(by: Int)
    /// The next or previous song; the list continues at its other end.
    case songs(by: Int)
}

/// The lists of scenes that bindings go through, and the entry at which each of them is.
package struct SceneCycles {
    /// The entry that was selected last in each list, which decides if a scene is in it several
    /// times.
    private var entries: [[String]: Int] = [:]

    /// Creates cycles that have not begun.
    package init() {}

    /// Selects the step that a binding requests.
    ///
    /// - Parameters:
    ///   - index: The index of the binding.
    ///   - pipeline: The pipeline that contains it.
    ///   - scene: The name of the scene in effect; `nil` before the first one.
    /// - Returns: The step; `nil` if there is nothing to do.
    package mutating func step(
        ofBinding index: Int, in pipeline: Pipeline, scene: String?
    ) -> BoundStep? {
        guard pipeline.bindings.indices.contains(index) else { return nil }
        let binding = pipeline.bindings[index]
        switch binding.action {
        case .cycleScenes(let scenes):
            let names = scenes.filter(pipeline.scenes.indices.contains).map {
                pipeline.scenes[$0].name
            }
            return next(in: names, after: scene, wraps: binding.wraps).map { .scene($0) }
        case .perform(.nextScene): return .scenes(by: 1)
        case .perform(.previousScene): return .scenes(by: -1)
        case .perform(.nextSong): return .songs(by: 1)
        case .perform(.previousSong): return .songs(by: -1)
        default: return nil
        }
    }

    /// Returns the scene after the one in effect: the first one if the list does not contain it;
    /// `nil` at the end of a list that does not continue at its beginning.
    private mutating func next(
        in names: [String], after scene: String?, wraps: Bool
    ) -> String? {
        guard !names.isEmpty else { return nil }
        let last = entries[names].flatMap { names[$0] == scene ? $0 : nil }
        var next = (last ?? names.firstIndex { $0 == scene }).map { $0 + 1 } ?? 0
        if next == names.count {
            guard wraps else { return nil }
            next = 0
        }
        entries[names] = next
        return names[next]
    }
}
