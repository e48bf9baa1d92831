internal import CRealtime

/// The changes of values that are due in one piece, in the order of their frames.
struct EventList: BitwiseCopyable {
    let events: UnsafeMutablePointer<RTEvent>
    /// The node of each.
    private let nodes: UnsafeMutablePointer<Int32>
    private let count: UnsafeMutablePointer<Int>
    private let capacity: Int

    init(capacity: Int, arena: Arena) {
        events = arena.allocate(capacity, RTEvent())
        nodes = arena.allocate(capacity, 0)
        count = arena.allocate(1, 0)
        self.capacity = capacity
    }

    /// Whether no more fit.
    var isFull: Bool { @_noLocks get { count.pointee == capacity } }

    /// Begins a piece.
    @_noLocks
    func clear() { count.pointee = 0 }

    /// Adds a change behind those of its frame and before; one that does not fit is dropped.
    @_noLocks
    func add(node: Int32, target: Int32, value: Float, frame: Int32) {
        guard !isFull else { return }
        var place = count.pointee
        while place > 0, events[place - 1].frame > frame {
            events[place] = events[place - 1]
            nodes[place] = nodes[place - 1]
            place -= 1
        }
        events[place] = RTEvent(frame: frame, target: target, value: value, next: -1)
        nodes[place] = node
        count.pointee += 1
    }

    /// Hands each to its node.
    @_noLocks
    func deliver(to core: ScheduleCore) {
        for place in 0..<count.pointee {
            core.deliver(events, place: Int32(place), node: nodes[place])
        }
    }

    /// Has the nodes forget them.
    @_noLocks
    func forget(in core: ScheduleCore) {
        for place in 0..<count.pointee { core.forgetEvents(node: nodes[place]) }
    }
}
