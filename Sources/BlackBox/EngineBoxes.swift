/// The boxes of the engines of a run: the engine that plays, and those that may replace it.
///
/// - Parameter Box: The type of a box; only tests use another one than `BlackBox`.
public struct EngineBoxes<Box> {
    /// The box of an engine, or the reason why it has none.
    public typealias Entry = Result<Box, BoxError>

    /// The box of the engine that plays; `nil` before the first one.
    public private(set) var current: Entry?
    /// The boxes of engines that do not play yet, the newest last.
    private var prepared: [Entry] = []

    /// Creates a list without boxes.
    public init() {}

    /// Adds the box of a new engine; the first engine plays at once.
    public mutating func add(_ entry: Entry) {
        if current == nil { current = entry } else { prepared.append(entry) }
    }

    /// Notes that the newest engine plays now.
    ///
    /// - Returns: The boxes of all other engines, which should end.
    public mutating func switchToNewest() -> [Box] {
        guard let newest = prepared.popLast() else { return [] }
        let others = boxes
        (current, prepared) = (newest, [])
        return others
    }

    /// Removes all boxes, and returns them.
    public mutating func removeAll() -> [Box] {
        defer { (current, prepared) = (nil, []) }
        return boxes
    }

    private var boxes: [Box] {
        (prepared + [current].compactMap(\.self)).compactMap { try? $0.get() }
    }
}

extension EngineBoxes: Sendable where Box: Sendable {}
