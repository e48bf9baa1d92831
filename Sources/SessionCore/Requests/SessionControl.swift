/// Controls and watches a session, from any thread except the audio thread.
public protocol SessionControl: AnyObject, Sendable {
    /// Carries out a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - answer: Called with the answer on the session's thread; it must return soon. If the
    ///     answer is `Answer.preparing` or `Answer.pending`, it is called again when a song plays
    ///     or a file is edited.
    func ask(_ request: SessionRequest, answer: @escaping @Sendable (Answer) -> Void)

    /// Calls a function with every event from now on, on the session's thread.
    ///
    /// - Parameter watcher: Replaces the current watcher; `nil` removes it. It must return soon.
    func watch(_ watcher: (@Sendable (SessionEvent) -> Void)?)
}

/// The origin of a request.
public enum RequestOrigin: Sendable, Equatable {
    /// A person at the computer, with a key of the terminal view.
    case here
    /// Another program: OSC, `stompline ctl`, a session manager.
    case remote
}
