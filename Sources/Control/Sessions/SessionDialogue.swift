/// The messages to and from a session manager: the protocol of New Session Manager without a
/// socket.
package struct SessionDialogue {
    private static let announce = "/nsm/server/announce"
    private static let open = "/nsm/client/open"
    private static let save = "/nsm/client/save"

    /// The name of the manager; `nil` until it has answered.
    package private(set) var managerName: String?
    private var isDirty = false

    /// Creates a dialogue that has not begun.
    package init() {}

    /// The outcome of a message.
    package enum Outcome: Equatable {
        case none
        case reply(OSCMessage)
        case refused(SessionRefusal)
        case welcome
        case order(ManagerRequest)
    }

    /// Returns the first message.
    ///
    /// - Parameters:
    ///   - executable: The program's file name, with which the manager starts it again; not a path.
    ///   - process: The process ID.
    /// - Returns: The message.
    package static func announcement(executable: String, process: Int32) -> OSCMessage {
        OSCMessage(
            announce, .text("Stompline"), .text(":dirty:switch:"), .text(executable),
            .integer(1), .integer(2), .integer(process))
    }

    /// Handles a message of the manager, and returns its outcome.
    package mutating func receive(_ message: OSCMessage) -> Outcome {
        let texts = message.arguments.compactMap(\.text)
        switch message.path {
        case "/reply" where texts.first == Self.announce:
            managerName = texts.count > 2 ? texts[2] : "session manager"
            return .welcome
        case "/error" where texts.first == Self.announce:
            return .refused(.refused(texts.last ?? ""))
        case Self.open:
            guard texts.count == 3, texts[0].hasPrefix("/"), !texts[2].isEmpty else {
                return .reply(
                    Self.error(Self.open, "open requires a path, a name and a client name"))
            }
            return .order(
                .open(SessionPart(folder: texts[0], displayName: texts[1], clientID: texts[2])))
        case Self.save: return .order(.save)
        // The program waits for no other client of the session, and has no window to show.
        default: return .none
        }
    }

    /// Returns the messages after an order was carried out, or could not be.
    package mutating func answer(to order: ManagerRequest, error: String?) -> [OSCMessage] {
        let path = order == .save ? Self.save : Self.open
        if let error { return [Self.error(path, error)] }
        let reply = OSCMessage("/reply", .text(path), .text("done"))
        return [reply] + dirtiness(false)
    }

    /// Returns the message that reports whether values have changed since they were saved; no
    /// message if the manager already knows.
    package mutating func dirtiness(_ isDirty: Bool) -> [OSCMessage] {
        guard isDirty != self.isDirty else { return [] }
        self.isDirty = isDirty
        return [OSCMessage(isDirty ? "/nsm/client/is_dirty" : "/nsm/client/is_clean")]
    }

    private static func error(_ path: String, _ message: String) -> OSCMessage {
        OSCMessage("/error", .text(path), .integer(-1), .text(message))
    }
}
