/// The boxes of the sessions of a run: the one that plays, and those that may replace it.
///
/// - Parameter Box: The type of a box; only tests use another one than `BlackBox`.
public struct EngineBoxes<Box> {
    /// The box of a session, or the reason why it has none.
    public typealias Entry = Result<Box, BoxError>

    /// The number of the session that plays; `nil` before the first one.
    private var playing: Int?
    /// The boxes by the numbers of their sessions.
    private var entries: [Int: Entry] = [:]

    /// Creates a list without boxes.
    public init() {}

    /// The box of the session that plays; `nil` before the first one.
    public var current: Entry? { playing.flatMap { entries[$0] } }

    /// Adds the box of a session; the first session plays at once.
    ///
    /// - Parameters:
    ///   - entry: The box.
    ///   - number: The number of the session, which no other one has.
    public mutating func add(_ entry: Entry, ofSession number: Int) {
        entries[number] = entry
        playing = playing ?? number
    }

    /// Notes that a session plays instead of the former one; those that are being prepared keep
    /// their boxes.
    ///
    /// - Parameter number: The number of the session.
    /// - Returns: The box of the former session, which should end; `nil` if it had none.
    public mutating func play(session number: Int) -> Box? {
        guard entries[number] != nil, let former = playing, former != number else { return nil }
        playing = number
        return remove(former)
    }

    /// Removes a session that will not play.
    ///
    /// - Parameter number: The number of the session.
    /// - Returns: Its box, which should end; `nil` if it has none, or plays.
    public mutating func drop(session number: Int) -> Box? {
        number == playing ? nil : remove(number)
    }

    /// Removes all boxes, and returns them.
    public mutating func removeAll() -> [Box] {
        defer { (playing, entries) = (nil, [:]) }
        return entries.values.compactMap { try? $0.get() }
    }

    private mutating func remove(_ number: Int) -> Box? {
        try? entries.removeValue(forKey: number)?.get()
    }
}

extension EngineBoxes: Sendable where Box: Sendable {}
