/// The bridges of a setlist and of its songs, which all run at the same time.
struct SharedBridges {
    private let context: CheckContext
    /// The first bridge of each name.
    private var named: [String: Use] = [:]
    /// The receivers at each port.
    private var listening: [Int: [Use]] = [:]

    /// A bridge, and the file that defines it.
    struct Use {
        let bridge: Bridge
        let path: String
    }

    /// A bridge that cannot run next to an earlier one.
    struct Clash {
        let bridge: Use
        let earlier: Use
        /// Whether both have the same name; otherwise they listen at the same port.
        let isOfNames: Bool
    }

    /// Creates an empty list.
    ///
    /// - Parameter context: The check of the setlist.
    init(context: CheckContext) { self.context = context }

    /// Adds the bridges of a file, except those that cannot run next to an earlier one.
    ///
    /// A bridge with the command of an earlier one is the same bridge.
    ///
    /// - Parameters:
    ///   - bridges: The bridges.
    ///   - path: The path of the file.
    /// - Returns: The bridges that were not added.
    mutating func add(_ bridges: [Bridge], ofFile path: String) -> [Clash] {
        bridges.compactMap { add(Use(bridge: $0, path: path)) }
    }

    private mutating func add(_ use: Use) -> Clash? {
        let bridge = use.bridge
        if let earlier = named[bridge.clientName] {
            return earlier.bridge.command(server: nil) == bridge.command(server: nil)
                ? nil : Clash(bridge: use, earlier: earlier, isOfNames: true)
        }
        if bridge.program != .zitaSender {
            let others = listening[bridge.port] ?? []
            if let earlier = others.first(where: { $0.bridge.sharesHost(with: bridge) }) {
                return Clash(bridge: use, earlier: earlier, isOfNames: false)
            }
            listening[bridge.port] = others + [use]
        }
        named[bridge.clientName] = use
        return nil
    }

    /// Returns a sentence about a clash, without its full stop.
    func message(of clash: Clash) -> String {
        let (bridge, earlier) = (place(of: clash.bridge), place(of: clash.earlier))
        let name = Quoted(clash.bridge.bridge.clientName)
        let port = clash.bridge.bridge.port
        let rule = "all bridges of a setlist run at the same time"
        guard clash.isOfNames else {
            return "the bridge \(name) at \(bridge) listens at the port \(port), as the one at "
                + "\(earlier) does; \(rule), so give one of them another \"port\""
        }
        return "the bridge \(name) at \(bridge) differs from the one at \(earlier); \(rule), "
            + "so make both equal, or give one of them another \"name\""
    }

    /// Returns the position of a bridge in its file: `FILE:LINE:COLUMN`.
    private func place(of use: Use) -> String {
        guard let document = document(of: use.path),
            let element = document.root["bridges"]?.elements.first(where: {
                ($0["name"] ?? $0["program"])?.string == use.bridge.clientName
            })
        else { return use.path }
        var position = TextPosition()
        position.advance(to: (element["name"] ?? element).start, in: document.bytes)
        return "\(use.path):\(position.line):\(position.column)"
    }

    private func document(of path: String) -> Document? {
        if path == context.file { return context.document }
        return (try? context.draft.contents(of: path)).map {
            Document(parsing: $0.bytes, errors: ErrorList())
        }
    }
}

extension SharedBridges.Clash {
    /// The kind of the error.
    var code: Diagnostic.Code { isOfNames ? .duplicateID : .range }
}

extension Bridge {
    /// The address of a receiver that listens at all addresses of this machine.
    private static var anyHost: String { "0.0.0.0" }

    /// Returns whether two receivers listen at the same address of this machine.
    fileprivate func sharesHost(with other: Bridge) -> Bool {
        let (own, others) = (host ?? Self.anyHost, other.host ?? Self.anyHost)
        return own == others || own == Self.anyHost || others == Self.anyHost
    }
}
