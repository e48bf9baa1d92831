/// Decides from the header of a request whether it comes from the page itself or from no page.
///
/// Pages of other sites in the browser of this machine, or of a paired one, can send requests to the
/// server. They cannot choose the fields that are checked here.
package struct SiteCheck: Sendable {
    private let hosts: Set<String>
    private let scheme: String
    /// What follows the address in `Host`; an empty text if the port may be missing.
    private let ports: [String]

    /// Creates the check of a server.
    ///
    /// - Parameters:
    ///   - address: The address of the server, with its port.
    ///   - names: The names of this machine by which others reach the server.
    ///   - isSecure: Whether the server uses TLS.
    package init(_ address: ListenAddress, names: [String] = [], isSecure: Bool = false) {
        let all = ["127.0.0.1", "localhost", "[::1]"] + names.map { $0.lowercased() }
        // Clients leave out the usual port.
        let isUsual = address.port == (isSecure ? 443 : 80)
        ports = [":\(address.port)"] + (isUsual ? [""] : [])
        scheme = isSecure ? "https" : "http"
        var hosts: Set<String> = ["\(address)"]
        for port in ports { hosts.formUnion(all.map { $0 + port }) }
        self.hosts = hosts
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
    ///   - connected: The address of this machine to which the client has connected.
    /// - Returns: The verdict.
    package func verdict(
        _ fields: Fields, mayNavigate: Bool, connected: String? = nil
    ) -> Verdict {
        guard fields.host.count == 1 else { return .malformed }
        guard isOwn(fields.host[0], connected) else { return .foreignHost }
        guard fields.origin.count <= 1 else { return .malformed }
        if let origin = fields.origin.first?.lowercased() {
            let start = "\(scheme)://"
            guard origin.hasPrefix(start), isOwn(origin.dropFirst(start.count), connected) else {
                return .foreignSite
            }
        }
        let site = fields.fetchSite.first ?? "none"
        if site == "same-origin" || site == "none" { return .admitted }
        let isNavigation =
            fields.fetchMode.first == "navigate" && fields.fetchDestination.first == "document"
        return mayNavigate && isNavigation ? .admitted : .foreignSite
    }

    /// Returns whether a host is this server: one of its names, or the address itself to which the
    /// client has connected.
    ///
    /// A foreign site can let its name point here, but not an address.
    private func isOwn(_ host: some StringProtocol, _ connected: String?) -> Bool {
        let host = host.lowercased()
        if hosts.contains(host) { return true }
        guard let connected else { return false }
        return ports.contains { host == connected + $0 }
    }
}
