/// A message of the protocol that a client sends, in addition to requests to addresses.
enum ClientMessage: String, CaseIterable {
    case subscribe = "/subscribe"
    case meters = "/meters"
    case unsubscribe = "/unsubscribe"
    case dump = "/dump"
    case sync = "/sync"
    case token = "/token"
    case challenge = "/challenge"
}

/// A message of the protocol that the server sends, in addition to values of addresses.
package enum ServerMessage: String, CaseIterable {
    case error = "/error"
    case preparing = "/preparing"
    case playing = "/playing"
    case saved = "/saved"
    case edited = "/edited"
    case undone = "/undone"
    case redone = "/redone"
    case compared = "/compared"
    case keeping = "/keeping"
    case kept = "/kept"
    case dumpEnd = "/dump/end"
    case report = "/report"
    case synced = "/synced"
    case subscribed = "/subscribed"
    case structure = "/structure"
    case level = "/level"
    case load = "/load"
    case pitch = "/pitch"
    case challenge = "/challenge"
}

extension OSCMessage {
    /// Creates a message of the server.
    package init(_ message: ServerMessage, _ arguments: Argument...) {
        self.init(message.rawValue, arguments)
    }
}

/// The description of a message of the protocol, for the reference.
public struct OSCMessageDescription: Sendable {
    /// The path.
    public let path: String
    /// Whether the server sends it; otherwise, a client does.
    public let isSentByServer: Bool
    /// The arguments with their OSC types, such as `,s NAME`; those in brackets can be missing.
    public let arguments: String
    /// The meaning, without a full stop at its end.
    public let meaning: String

    /// All messages, first those of clients.
    public static let all: [OSCMessageDescription] =
        ClientMessage.allCases.map(\.described) + ServerMessage.allCases.map(\.described)
}

extension ClientMessage {
    fileprivate var described: OSCMessageDescription {
        let (arguments, meaning) = texts
        return OSCMessageDescription(
            path: rawValue, isSentByServer: false, arguments: arguments, meaning: meaning)
    }

    private var texts: (arguments: String, meaning: String) {
        switch self {
        case .subscribe:
            (
                "[,s PATH] [,f SECONDS] [,f RATE]",
                """
                subscribes to changes of the path and of everything below it; without a path, to all \
                changes except those of reports. The path can have wildcards. A subscription ends \
                after SECONDS (default \(Int(Subscription.defaultSeconds)), at most \
                \(Int(Subscription.longestSeconds))) unless it is sent again. For each address at \
                most RATE messages per second are sent (default \(Int(Subscription.defaultHertz)), \
                from \(Subscription.hertz.lowerBound) to \(Int(Subscription.hertz.upperBound))); \
                the newest value is always sent
                """
            )
        case .meters:
            ("[,f SECONDS] [,f RATE]", "subscribes to levels, load and pitch")
        case .unsubscribe: ("[,s PATH]", "ends one subscription, or all")
        case .dump:
            (
                "[,s reports]",
                """
                asks for all values that can be set, or for all reports: one message each, in \
                bundles, then `/dump/end`. A datagram gets at most one dump, however often it asks
                """
            )
        case .sync:
            (
                ",i N",
                """
                is answered with `/synced` when all earlier requests are done; it does not wait \
                for a song that is being prepared, or a box that is being written
                """
            )
        case .token: (",s WORD", "the first message of a program on another machine")
        case .challenge:
            (",h N", "the answer to the server's `/challenge`, with the same number")
        }
    }
}

extension ServerMessage {
    fileprivate var described: OSCMessageDescription {
        let (arguments, meaning) = texts
        return OSCMessageDescription(
            path: rawValue, isSentByServer: true, arguments: arguments, meaning: meaning)
    }

    private var texts: (arguments: String, meaning: String) {
        switch self {
        case .error: (",ss PATH MESSAGE", "the request at PATH was refused, for this reason")
        case .preparing:
            (
                ",ss PATH SONG",
                """
                the song of the request at PATH is being prepared. It is sent at once and then \
                every second until `/playing` or `/error`
                """
            )
        case .playing:
            (
                ",ss PATH SONG",
                """
                the answer to a request for a song: SONG plays. It is another song than the \
                requested one if a later request has overtaken it
                """
            )
        case .saved:
            (",sss PATH FILE TEXT", "the live values were saved in FILE. TEXT lists them")
        case .edited: (",sss PATH FILE TEXT", "FILE was edited. TEXT is a sentence about the edit")
        case .undone:
            (",sss PATH FILE TEXT", "an edit of FILE was undone. TEXT is a sentence about it")
        case .redone:
            (",sss PATH FILE TEXT", "an edit of FILE was made again. TEXT is a sentence about it")
        case .compared: (",ss PATH VALUES", "the `saved` or the `live` values sound")
        case .keeping:
            (
                ",s PATH",
                """
                the box of the request at PATH is being written. It is sent at once and then every \
                second until `/kept` or `/error`
                """
            )
        case .kept: (",ss PATH BOX", "the last minutes were written as the box at BOX")
        case .dumpEnd: (",i COUNT", "the end of a dump, and the number of its messages")
        case .report:
            (
                ",ss… PATH UNIT VALUE",
                """
                a report with its unit, which can be empty, in answer to `/dump ,s reports`. VALUE \
                is `f`, `T`, `F` or `s`
                """
            )
        case .synced: (",i N", "the answer to `/sync`")
        case .subscribed: (",sff PATH SECONDS RATE", "a subscription has begun")
        case .structure:
            (
                "",
                """
                the set of addresses has changed, because of another song or an edited file. \
                `/dump` lists the new ones
                """
            )
        case .level:
            (
                ",sff PORT PEAK RMS",
                "the level of a port in dB, about 12 per second; more while a page watches meters"
            )
        case .load:
            (",ffi MEAN WORST XRUNS", "load as shares of the period, and the number of xruns")
        case .pitch: (",f HERTZ", "the pitch that the tuner detects; 0 for none")
        case .challenge:
            (
                ",h N",
                """
                sent to a program on another machine after its `/token`; the program proves its \
                address by sending it back
                """
            )
        }
    }
}
