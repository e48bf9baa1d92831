/// What is said to a session manager, and what it says: New Session Manager's protocol without a socket.
package struct SessionDialogue {
    private static let announce = "/nsm/server/announce"
    private static let open = "/nsm/client/open"
    private static let save = "/nsm/client/save"

    /// The manager's own name; nil before it has answered.
    package private(set) var managerName: String?
    private var isDirty = false

    /// One that has not begun.
    package init() {}

    /// What comes of a message.
    package enum Outcome: Equatable {
        case none
        case reply(OSCMessage)
        case refused(SessionRefusal)
        case welcome
        case order(SessionOrder)
    }

    /// The first message of all.
    ///
    /// - Parameters:
    ///   - executable: The program's file name, by which the manager starts it again; no path.
    ///   - process: The process's number.
    /// - Returns: The message.
    package static func announcement(executable: String, process: Int32) -> OSCMessage {
        OSCMessage(
            announce, .text("Stompline"), .text(":dirty:switch:"), .text(executable),
            .integer(1), .integer(2), .integer(process))
    }

    /// Takes in what the manager says.
    package mutating func take(_ message: OSCMessage) -> Outcome {
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
                    Self.error(Self.open, "open takes a path, a name and a client's name"))
            }
            return .order(
                .open(SessionPart(folder: texts[0], displayName: texts[1], clientID: texts[2])))
        case Self.save: return .order(.save)
        // Nothing of ours waits for the others of the session; there is no window to show.
        default: return .none
        }
    }

    /// What is said when an order was carried out, or could not be.
    package mutating func answer(to order: SessionOrder, fault: String?) -> [OSCMessage] {
        let path = order == .save ? Self.save : Self.open
        if let fault { return [Self.error(path, fault)] }
        let reply = OSCMessage("/reply", .text(path), .text("done"))
        return [reply] + dirtiness(false)
    }

    /// What is said when values have changed since they were saved, or not any more; nothing where that is known.
    package mutating func dirtiness(_ isDirty: Bool) -> [OSCMessage] {
        guard isDirty != self.isDirty else { return [] }
        self.isDirty = isDirty
        return [OSCMessage(isDirty ? "/nsm/client/is_dirty" : "/nsm/client/is_clean")]
    }

    private static func error(_ path: String, _ message: String) -> OSCMessage {
        OSCMessage("/error", .text(path), .integer(-1), .text(message))
    }
}
