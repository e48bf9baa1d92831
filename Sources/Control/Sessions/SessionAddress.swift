extension Endpoint {
    /// Creates the address of a session manager from the value of `NSM_URL`, such as
    /// `osc.udp://host:17551/`; `nil` if it is not valid.
    public init?(sessionURL text: String) {
        let scheme = "osc.udp://"
        guard text.lowercased().hasPrefix(scheme) else { return nil }
        let address = text.dropFirst(scheme.count).prefix { $0 != "/" }
        guard let colon = address.lastIndex(of: ":"),
            let port = UInt16(address[address.index(after: colon)...]),
            port > 0, colon > address.startIndex
        else { return nil }
        self.init(host: String(address[..<colon]), port: port)
    }
}
