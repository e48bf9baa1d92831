/// What a session manager wants done; each is to be answered.
public enum SessionOrder: Sendable, Equatable {
    /// Play this part of a session.
    case open(SessionPart)
    /// Put what is played, with its present values, in the session's file.
    case save
}

/// This program's part of a session.
public struct SessionPart: Sendable, Equatable {
    /// The folder that is ours in the session; not there before the first time.
    public let folder: String
    /// As people read it.
    public let displayName: String
    /// The name that the JACK client must have, as the session's connections are by it.
    public let clientID: String

    /// All parts.
    public init(folder: String, displayName: String, clientID: String) {
        self.folder = folder
        self.displayName = displayName
        self.clientID = clientID
    }
}

/// Why this program does not come into a session.
public enum SessionRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// Nobody answers.
    case silence
    /// The manager's reason.
    case refused(String)

    /// A sentence without its full stop.
    public var description: String {
        switch self {
        case .silence: "the session manager that NSM_URL names does not answer"
        case .refused(let reason): "the session manager refuses: \(reason)"
        }
    }
}
