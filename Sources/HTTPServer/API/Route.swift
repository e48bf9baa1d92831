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
    /// The folder of a file that plays, by the number of the file.
    case library(String)
    /// A file below the folder of a file that plays.
    case libraryFile(number: String, path: String)
    /// The pipelines that come with the program.
    case templates
    case template(String)
    /// The presets of the plugin of a node.
    case presets(node: String)
    case preset(node: String, label: String)
    /// The patch that changes all references in a file that plays, by its number.
    case references(String)
    /// The types of nodes.
    case palette
    /// A type of node, by its name or its URI.
    case paletteType(String)
    case drawing
    /// The ports of the JACK server.
    case ports
    /// The connections of the session's ports.
    case connections
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
        case "api/palette": .palette
        case "api/drawing": .drawing
        case "api/templates": .templates
        case "api/ports": .ports
        case "api/connections": .connections
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
        if let rest = rest(of: path, after: "api/files/") {
            let end = "/references"
            return rest.hasSuffix(end)
                ? .references(String(rest.dropLast(end.count))) : .playedFile(rest)
        }
        if let type = rest(of: path, after: "api/palette/") { return .paletteType(type) }
        if let name = rest(of: path, after: "api/templates/") { return .template(name) }
        if let rest = rest(of: path, after: "api/library/") { return inLibrary(rest) }
        if let rest = rest(of: path, after: "api/nodes/") { return ofNode(rest) }
        return path == "api" || path.hasPrefix("api/") ? .unknown : .file(path)
    }

    private static func inLibrary(_ rest: String) -> Route {
        guard let slash = rest.firstIndex(of: "/") else { return .library(rest) }
        return .libraryFile(
            number: String(rest[..<slash]), path: String(rest[rest.index(after: slash)...]))
    }

    private static func ofNode(_ rest: String) -> Route {
        if rest.hasSuffix("/presets") { return .presets(node: String(rest.dropLast(8))) }
        guard let range = rest.firstRange(of: "/presets/") else { return .unknown }
        return .preset(
            node: String(rest[..<range.lowerBound]), label: String(rest[range.upperBound...]))
    }

    private static func rest(of path: String, after prefix: String) -> String? {
        path.hasPrefix(prefix) && path.count > prefix.count
            ? String(path.dropFirst(prefix.count)) : nil
    }

    /// The methods that the path has.
    package var methods: [String] {
        switch self {
        case .file, .values, .reports, .pipeline, .playedFiles, .references, .palette,
            .paletteType, .drawing, .ports, .state, .metrics, .library, .templates, .template,
            .presets:
            ["GET", "HEAD"]
        case .value: ["GET", "HEAD", "PUT"]
        case .playedFile: ["GET", "HEAD", "PATCH"]
        case .libraryFile, .preset: ["PUT"]
        case .connections: ["GET", "HEAD", "POST"]
        case .access: ["GET", "HEAD", "PUT", "DELETE"]
        case .action, .key, .pair: ["POST"]
        case .live: ["GET"]
        case .unknown, .malformed: []
        }
    }

    /// Whether a link of another site may lead to the path.
    package var mayBeLinked: Bool { if case .file = self { true } else { false } }
}
