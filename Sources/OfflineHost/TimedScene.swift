/// The call of a scene at a time.
public struct TimedScene: Sendable, Equatable {
    /// The index of the scene in the pipeline.
    public var scene: Int
    /// The time in seconds of the input; at 0 the scene is active at load.
    public var seconds: Double

    /// Creates the call of a scene at a time.
    public init(_ scene: Int, atSeconds seconds: Double = 0) {
        self.scene = scene
        self.seconds = seconds
    }
}
