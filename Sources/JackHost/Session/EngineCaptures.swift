public import Engine
public import Processing

/// Makes the captures of the engines of a run, and follows which of them play.
///
/// Each session of a run has a number: 0 for the first one, and the next one for each request to
/// switch to another session.
public protocol EngineCaptures: Sendable {
    /// Returns a capture for the engine of a session; `nil` if it is not captured.
    ///
    /// It is called on any thread. Sessions can be prepared at the same time.
    ///
    /// - Parameters:
    ///   - number: The number of the session.
    ///   - format: The format of the engine.
    /// - Returns: The capture.
    func makeCapture(ofSession number: Int, _ format: AudioFormat) -> EngineCapture?

    /// Notes that a session is audible instead of the former one.
    ///
    /// It is called on the session's thread.
    ///
    /// - Parameter number: The number of the session.
    func sessionPlays(_ number: Int)

    /// Notes that a session could not be prepared, or that a later one replaces it before it plays.
    ///
    /// It is called on the session's thread.
    ///
    /// - Parameter number: The number of the session.
    func sessionIsDropped(_ number: Int)
}
