/// The rights of a remote; each role includes those before it.
public enum RemoteRole: String, Sendable, CaseIterable, Comparable {
    /// It sees everything and changes nothing.
    case look
    /// It changes values and performs actions, but edits no files and connects no ports.
    case play
    /// It also edits the files that play, sends files, saves presets and connects ports.
    case edit

    /// Returns whether the right role includes the left one and is not equal to it.
    public static func < (left: RemoteRole, right: RemoteRole) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .look: 0
        case .play: 1
        case .edit: 2
        }
    }

    /// The names of all roles, for messages: `look, play or edit`.
    public static var names: String { "look, play or edit" }
}
