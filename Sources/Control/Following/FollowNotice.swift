/// A report of a session that follows another one.
public struct FollowNotice: Sendable, Equatable {
    /// The followed session, as the file or the option names it.
    public var leader: String
    /// What has happened.
    public var kind: Kind

    /// The kinds of reports.
    public enum Kind: Sendable, Equatable {
        /// The other session answers, and this session has its song, scene, tempo and mute.
        case connected
        /// The other session does not answer, for this reason: a sentence without its full stop.
        /// This session continues, and tries again every second.
        case lost(reason: String)
        /// This session cannot follow a value, for this reason.
        case refused(address: String, reason: String)
    }
}
