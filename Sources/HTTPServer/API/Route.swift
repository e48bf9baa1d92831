/// The task that the path of a request names.
package enum Route: Sendable, Equatable {
    /// A file of the page, by its path in the folder of the page.
    case file(String)
    case values
    case value(address: String)
    case reports
    case action(String)
    case key(String)
    case pipeline
    /// The files that play.
    case playedFiles
    /// The text of a file that plays, by its number.
    case playedFile(String)
    case drawing
    case state
    case metrics
    /// The rights of the device that asks, and its name.
    case access
    /// The pairing of a device.
    case pair
    /// The WebSocket.
    case live
    /// No resource has this path.
    case unknown
    /// The path is not valid.
    case malformed

    /// Reads the target of a request.
    package init(_ target: String) {
        let path = target.prefix { $0 != "?" && $0 != "#" }
        guard path.hasPrefix("/") else {
            self = .malformed
            return
        }
        guard let decoded = PercentCoding.decoded(path.dropFirst()) else {
            self = .malformed
            return
        }
        self = Self.route(decoded)
    }

    private static func route(_ path: String) -> Route {
        switch path {
        case "": .file("index.html")
        case "metrics": .metrics
        case "api/values": .values
        case "api/reports": .reports
        case "api/pipeline": .pipeline
        case "api/files": .playedFiles
        case "api/drawing": .drawing
        case "api/state": .state
        case "api/access": .access
        case "api/pair": .pair
        case "api/live": .live
        default: named(path)
        }
    }

    private static func named(_ path: String) -> Route {
        if let name = rest(of: path, after: "api/values/") { return .value(address: name) }
        if let name = rest(of: path, after: "api/actions/") { return .action(name) }
        if let name = rest(of: path, after: "api/keys/") { return .key(name) }
        if let number = rest(of: path, after: "api/files/") { return .playedFile(number) }
        return path == "api" || path.hasPrefix("api/") ? .unknown : .file(path)
    }

    private static func rest(of path: String, after prefix: String) -> String? {
        path.hasPrefix(prefix) && path.count > prefix.count
            ? String(path.dropFirst(prefix.count)) : nil
    }

    /// The methods that the path has.
    package var methods: [String] {
        switch self {
        case .file, .values, .reports, .pipeline, .playedFiles, .drawing, .state, .metrics:
            ["GET", "HEAD"]
        case .value: ["GET", "HEAD", "PUT"]
        case .playedFile: ["GET", "HEAD", "PATCH"]
        case .access: ["GET", "HEAD", "PUT", "DELETE"]
        case .action, .key, .pair: ["POST"]
        case .live: ["GET"]
        case .unknown, .malformed: []
        }
    }

    /// Whether a link of another site may lead to the path.
    package var mayBeLinked: Bool { if case .file = self { true } else { false } }
}
