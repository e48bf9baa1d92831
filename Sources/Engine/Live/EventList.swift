internal import CRealtime

/// The value changes that are due in one piece, ordered by frame.
struct EventList: BitwiseCopyable {
    let events: UnsafeMutablePointer<RTEvent>
    /// The node of each change.
    private let nodes: UnsafeMutablePointer<Int32>
    private let count: UnsafeMutablePointer<Int>
    private let capacity: Int
    private let total: Int

    /// Creates an empty list.
    ///
    /// - Parameters:
    ///   - capacity: The number of changes after which `isFull` is true.
    ///   - reserve: The room for further changes.
    ///   - arena: The owner of the memory.
    init(capacity: Int, reserve: Int = 0, arena: Arena) {
        total = capacity + reserve
        events = arena.allocate(total, RTEvent())
        nodes = arena.allocate(total, 0)
        count = arena.allocate(1, 0)
        self.capacity = capacity
    }

    /// Whether only the reserve is left.
    var isFull: Bool { @_noLocks get { count.pointee >= capacity } }

    /// Empties the list for a new piece.
    @_noLocks
    func clear() { count.pointee = 0 }

    /// Inserts a change after all changes of the same or an earlier frame; drops it if there is no
    /// room.
    ///
    /// - Returns: Whether there was room.
    @_noLocks @discardableResult
    func add(node: Int32, target: Int32, value: Float, frame: Int32) -> Bool {
        guard count.pointee < total else { return false }
        var index = count.pointee
        while index > 0, events[index - 1].frame > frame {
            events[index] = events[index - 1]
            nodes[index] = nodes[index - 1]
            index -= 1
        }
        events[index] = RTEvent(frame: frame, target: target, value: value, next: -1)
        nodes[index] = node
        count.pointee += 1
        return true
    }

    /// Delivers each change to its node.
    @_noLocks
    func deliver(to schedule: PlayingSchedule) {
        for index in 0..<count.pointee {
            schedule.deliver(events, index: Int32(index), node: nodes[index])
        }
    }

    /// Clears the event lists of the nodes.
    @_noLocks
    func forget(in schedule: PlayingSchedule) {
        for index in 0..<count.pointee { schedule.forgetEvents(node: nodes[index]) }
    }
}
