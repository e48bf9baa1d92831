/// The host and the port that a request goes to.
struct Origin: Hashable, Sendable {
    /// The name or the IP address in lowercase, without brackets.
    let host: String
    let port: Int

    /// Parses `host`, `host:port` or `[address]:port`; returns `nil` for any other text.
    init?(_ hostAndPort: Substring, defaultPort: Int) {
        let bracket = hostAndPort.first == "[" ? hostAndPort.firstIndex(of: "]") : nil
        let colon = hostAndPort[(bracket ?? hostAndPort.startIndex)...].firstIndex(of: ":")
        var host = hostAndPort[..<(colon ?? hostAndPort.endIndex)]
        if bracket != nil { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, !host.contains("[") else { return nil }
        let digits = colon.map { hostAndPort[hostAndPort.index(after: $0)...] } ?? ""
        let port = digits.isEmpty ? defaultPort : Int(digits) ?? 0
        guard (1...65_535).contains(port) else { return nil }
        // Characters outside ASCII are bytes of UTF-8 here, so they must not change.
        self.host = String(host.map { $0.isASCII ? Character($0.lowercased()) : $0 })
        self.port = port
    }

    /// The host in the form used in addresses.
    var hostText: String { host.contains(":") ? "[\(host)]" : host }

    /// Returns `host`, or `host:port` if the port is not the usual one.
    func text(defaultPort: Int) -> String { port == defaultPort ? hostText : "\(hostText):\(port)" }
}
