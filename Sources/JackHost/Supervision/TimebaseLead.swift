internal import SessionCore

/// Makes the program JACK's timebase master if the user asks for it.
///
/// Only the session's thread uses it.
struct TimebaseLead {
    private let wish: TimebaseWish?
    /// Whether another program has replaced this one; it then keeps the role.
    private var isReplaced = false
    private var unreported: TimebaseRole?

    /// Creates a lead for a wish; `nil` never becomes the timebase master.
    init(_ wish: TimebaseWish?) { self.wish = wish }

    /// Takes the role on a server that the program has just joined.
    mutating func take(_ connection: JackConnection) {
        guard let wish, !isReplaced else { return }
        let isMaster = connection.takeTimebase(takesOver: wish == .takeOver)
        unreported = isMaster ? .master : .occupied
    }

    /// Returns the role if it has changed since the last call.
    mutating func change(on connection: JackConnection) -> TimebaseRole? {
        defer { unreported = nil }
        guard wish != nil, connection.popTimebaseLoss() else { return unreported }
        isReplaced = true
        return .replaced
    }
}
