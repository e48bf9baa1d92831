/// Decides from the header of a request whether it comes from the page itself or from no page.
///
/// Pages of other sites in the browser of this machine can send requests to loopback addresses. They
/// cannot choose the fields that are checked here.
package struct SiteCheck: Sendable {
    private let hosts: Set<String>
    private let origins: Set<String>

    /// Creates the check of a server.
    ///
    /// - Parameter address: The address of the server, with its port.
    package init(_ address: ListenAddress) {
        let names = ["127.0.0.1", "localhost", "[::1]"]
        let own = "\(address)"
        var hosts = Set(names.map { "\($0):\(address.port)" } + [own])
        // Clients leave out the port of HTTP.
        if address.port == 80 { hosts.formUnion(names) }
        self.hosts = hosts
        origins = Set(hosts.map { "http://\($0)" })
    }

    /// The fields of a header that are checked, each with all its values.
    package struct Fields: Sendable {
        package var host: [String]
        package var origin: [String]
        package var fetchSite: [String]
        package var fetchMode: [String]
        package var fetchDestination: [String]

        /// Creates fields from their values.
        package init(
            host: [String], origin: [String] = [], fetchSite: [String] = [],
            fetchMode: [String] = [], fetchDestination: [String] = []
        ) {
            self.host = host
            self.origin = origin
            self.fetchSite = fetchSite
            self.fetchMode = fetchMode
            self.fetchDestination = fetchDestination
        }
    }

    /// The result of the check.
    package enum Verdict: Sendable, Equatable {
        case admitted
        /// There is no `Host`, or more than one.
        case malformed
        /// `Host` names another server.
        case foreignHost
        /// The request comes from another site.
        case foreignSite
    }

    /// Checks a header.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - mayNavigate: Whether a link of another site may lead to the requested path.
    /// - Returns: The verdict.
    package func verdict(_ fields: Fields, mayNavigate: Bool) -> Verdict {
        guard fields.host.count == 1 else { return .malformed }
        guard hosts.contains(fields.host[0].lowercased()) else { return .foreignHost }
        guard fields.origin.count <= 1 else { return .malformed }
        if let origin = fields.origin.first, !origins.contains(origin.lowercased()) {
            return .foreignSite
        }
        let site = fields.fetchSite.first ?? "none"
        if site == "same-origin" || site == "none" { return .admitted }
        let isNavigation =
            fields.fetchMode.first == "navigate" && fields.fetchDestination.first == "document"
        return mayNavigate && isNavigation ? .admitted : .foreignSite
    }
}
