/// A request of a session manager, which the program must answer.
public enum ManagerRequest: Sendable, Equatable {
    /// Open and play this part of a session.
    case open(SessionPart)
    /// Save the path of the current file, and the values, in the session's folder.
    case save
}

/// This program's part of a session.
public struct SessionPart: Sendable, Equatable {
    /// The folder of this program in the session; it may not exist yet.
    public let folder: String
    /// The name to show to the user.
    public let displayName: String
    /// The name that the JACK client must have, because the session's connections use it.
    public let clientID: String

    /// Creates a part from its properties.
    public init(folder: String, displayName: String, clientID: String) {
        self.folder = folder
        self.displayName = displayName
        self.clientID = clientID
    }
}

/// The reason why this program cannot join a session.
public enum SessionRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// The manager does not answer.
    case silence
    /// The manager refused, for this reason.
    case refused(String)

    /// A sentence without its full stop.
    public var description: String {
        switch self {
        case .silence: "the session manager at NSM_URL does not answer"
        case .refused(let reason): "the session manager refused: \(reason)"
        }
    }
}
