internal import Processing
public import Pipelines

/// A value change at a time.
public struct TimedChange: Sendable, Equatable {
    /// The address and its new value.
    public var change: Pipeline.Change
    /// The time in seconds of the input; at 0 the change applies at load, as if the file contained
    /// it.
    public var seconds: Double
    /// How the value moves; at load, it does not.
    public var manner = FadeManner(seconds: 0)

    /// Creates a change at a time; the default is at load.
    public init(_ change: Pipeline.Change, atSeconds seconds: Double = 0) {
        self.change = change
        self.seconds = seconds
    }
}

extension Pipeline {
    /// Returns the changes of a scene, at a time.
    public func changes(ofScene scene: Scene, atSeconds seconds: Double = 0) -> [TimedChange] {
        scene.changes.map { change in
            var timed = TimedChange(change, atSeconds: seconds)
            timed.manner = manner(of: change, in: scene)
            return timed
        }
    }

    /// Returns the settings of a scene, at a time.
    public func settings(ofScene scene: Scene, atSeconds seconds: Double = 0) -> TimedSettings {
        TimedSettings(scene.settings, atSeconds: seconds)
    }

    /// Returns whether a change is part of the values at load; a trigger has no value, so it acts at
    /// the first frame instead.
    func appliesAtLoad(_ change: TimedChange) -> Bool {
        change.seconds <= 0 && !parameter(at: change.change.address).isTrigger
    }

    /// Returns the pipeline at load: its values include the initial scene and the changes at 0 s.
    ///
    /// Later changes are ignored; paths that are off at load and in all scenes delay nothing, even if
    /// a later change switches them on.
    func atLoad(with changes: [TimedChange]) -> Pipeline {
        var result = atLoad.applying(changes.filter(appliesAtLoad).map(\.change))
        // The values already include the scene; applying it again would undo the changes.
        result.initialScene = nil
        return result.decidingAlignment()
    }
}
