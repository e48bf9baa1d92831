public import Pipelines

/// The settings that a scene gives nodes at a time.
public struct TimedSettings: Sendable, Equatable {
    /// The settings.
    public var settings: [Pipeline.SceneSetting]
    /// The time in seconds of the input; at 0 the settings apply at load, as if the file contained
    /// them.
    public var seconds: Double

    /// Creates settings at a time.
    public init(_ settings: [Pipeline.SceneSetting], atSeconds seconds: Double = 0) {
        self.settings = settings
        self.seconds = seconds
    }
}

extension Pipeline {
    /// Returns the pipeline at load: with its initial scene, and the changes and settings at 0 s.
    func atLoad(with changes: [TimedChange], _ settings: [TimedSettings]) -> Pipeline {
        atLoad(with: changes)
            .applyingSettings(settings.filter { $0.seconds <= 0 }.flatMap(\.settings))
    }
}
