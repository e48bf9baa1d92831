extension Endpoint {
    /// The session manager that `NSM_URL` names, as in `osc.udp://host:17551/`; nil where it names none.
    public init?(sessionURL text: String) {
        let scheme = "osc.udp://"
        guard text.lowercased().hasPrefix(scheme) else { return nil }
        let place = text.dropFirst(scheme.count).prefix { $0 != "/" }
        guard let colon = place.lastIndex(of: ":"),
            let port = UInt16(place[place.index(after: colon)...]),
            port > 0, colon > place.startIndex
        else { return nil }
        self.init(host: String(place[..<colon]), port: port)
    }
}
