internal import Processing

/// The course of a fade.
///
/// A curve maps the share `p` of the fade's time that has passed to the share of the way that the
/// value has moved; both are from 0 through 1.
public enum FadeCurve: String, Sendable, CaseIterable, BitwiseCopyable, Codable {
    /// p: the same speed from start to end.
    case linear
    /// 3p² - 2p³: starts and ends slowly.
    case smooth
    /// p²: starts slowly.
    case easeIn = "ease-in"
    /// 1 - (1 - p)²: ends slowly.
    case easeOut = "ease-out"
}

/// The time and the curve of a fade.
public struct FadeManner: Sendable, Equatable, BitwiseCopyable {
    /// The time in seconds, in `allowedSeconds`; 0 is an immediate change.
    public var seconds: Double
    /// The course of the value.
    public var curve: FadeCurve

    /// Creates a manner from its parts.
    public init(seconds: Double, curve: FadeCurve = .linear) {
        self.seconds = seconds
        self.curve = curve
    }

    /// The possible times, in seconds.
    public static let allowedSeconds = 0.0...3600
}

/// How the changes of a scene fade.
public struct SceneFades: Sendable, Equatable, Codable {
    /// The time of all changes without their own time, in seconds.
    public var seconds = 0.0
    /// The curve of all changes.
    public var curve = FadeCurve.linear
    /// The changes with their own time, in seconds.
    public var ownSeconds: [Pipeline.Address: Double] = [:]

    /// Creates immediate changes.
    public init() {}
}

extension Pipeline {
    /// Whether a scene has a gain of its own.
    public var usesSceneGains: Bool { scenes.contains { $0.gainDecibels != nil } }

    /// Returns how a change of a scene fades.
    ///
    /// A value that has no values in between, such as a toggle, fades only if it has its own time,
    /// and then changes at the end of that time.
    public func manner(of change: Change, in scene: Scene) -> FadeManner {
        let own = scene.fades.ownSeconds[change.address]
        let shared = parameter(at: change.address).isContinuous ? scene.fades.seconds : 0
        return FadeManner(seconds: own ?? shared, curve: scene.fades.curve)
    }
}
