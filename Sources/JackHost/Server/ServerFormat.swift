internal import CJack
internal import Platform
internal import Synchronization

/// The sample rate and the period of a running JACK server.
public struct ServerFormat: Sendable, Equatable {
    /// In frames per second.
    public let sampleRate: Double
    /// The frames per cycle.
    public let blockFrames: Int

    /// The time that the server may take to answer, in seconds.
    private static let answerSeconds = 3.0

    /// Reads the format of the running server, and starts none.
    ///
    /// - Parameter server: The server's name; `nil` for the default server.
    /// - Throws: `JackError`; `.serverHangs` if the server does not answer.
    public init(ofServer server: String?) throws(JackError) {
        let answer = Answer()
        let task = BlockingTask {
            let result = Result<ServerFormat, JackError> { () throws(JackError) in
                try ServerFormat(reading: server)
            }
            answer.result.withLock { $0 = result }
        }
        guard task.isDone(withinSeconds: Self.answerSeconds),
            let result = answer.result.withLock({ $0 })
        else { throw .serverHangs }
        self = try result.get()
    }

    /// Carries the result of the task.
    private final class Answer: Sendable {
        let result = Mutex<Result<ServerFormat, JackError>?>(nil)
    }

    private init(reading server: String?) throws(JackError) {
        let taken = RunningServers.names().union([serverName(server)])
        let client = try JackClient(
            name: clientName("stompline-format", unlike: taken), server: server)
        defer { client.close() }
        (sampleRate, blockFrames) = (client.sampleRate, client.blockFrames)
    }
}
