public import Engine

/// The reason why a session cannot begin.
public enum SessionError: Error, Sendable, Equatable {
    case preparation(PreparationError)
    /// The songs' inputs and outputs are not compatible; the message has no full stop.
    case signals(String)
}
