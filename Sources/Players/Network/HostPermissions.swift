/// The hosts that a stream may come from.
public struct HostPermissions: Sendable, Equatable {
    /// Whether hosts on this machine and in private networks are allowed.
    public var allowsPrivateHosts: Bool
    /// A file with the certificates of the trusted authorities; `nil` for the system's.
    package var trustFile: String?
    /// Ports that are allowed even on private hosts; in tests, such hosts replace public servers.
    package var exemptPorts: Set<Int> = []

    /// Creates a reach.
    public init(allowsPrivateHosts: Bool = false) { self.allowsPrivateHosts = allowsPrivateHosts }

    /// Allows public hosts only.
    public static var publicHosts: HostPermissions { HostPermissions() }
    /// Allows all hosts.
    public static var allHosts: HostPermissions { HostPermissions(allowsPrivateHosts: true) }
}
