public import Pipelines

/// A value for an address at a time.
public struct TimedChange: Sendable, Equatable {
    /// What moves where.
    public var change: Pipeline.Change
    /// When, in seconds of the input; 0 is at load, as if the file said so.
    public var seconds: Double

    /// A change at a time; without one, at load.
    public init(_ change: Pipeline.Change, atSeconds seconds: Double = 0) {
        self.change = change
        self.seconds = seconds
    }
}

extension Pipeline {
    /// The changes that a scene makes, at a time.
    public func changes(ofScene scene: Scene, atSeconds seconds: Double = 0) -> [TimedChange] {
        scene.changes.map { TimedChange($0, atSeconds: seconds) }
    }

    /// The pipeline as it is at load: its initial scene and what is changed at 0 s stand in its values.
    ///
    /// Changes for later are left out.
    func atLoad(with changes: [TimedChange]) -> Pipeline {
        var result = atLoad.applying(changes.filter { $0.seconds <= 0 }.map(\.change))
        // Its values are in; it would undo the changes over them.
        result.initialScene = nil
        return result
    }
}
