internal import Pipelines
internal import Processing
internal import Realtime

/// The running fades of a schedule's values.
///
/// A fade sends a change to its node at each frame of a grid, which counts from the engine's first
/// frame, and the exact target at its last frame. The nodes smooth each change as they smooth any
/// other. The grid does not depend on the sizes of the calls.
struct FadeTable: BitwiseCopyable {
    /// The maximum number of fades at a time.
    static var capacity: Int { @_noLocks get { 4096 } }
    /// The maximum number of changes on the grid per piece.
    static var changeCapacity: Int { @_noLocks get { 16_384 } }
    /// The distance of two points of the grid unless there are too many fades: 1.3 ms at 48 kHz.
    private static var gridFrames: Int { @_noLocks get { 64 } }
    /// The maximum number of reports of each kind per call of `report`.
    private static var reportBatch: Int { @_noLocks get { 256 } }

    private let slots: UnsafeMutablePointer<Slot>
    private(set) var count = 0
    /// The frame up to which all changes are in the event list.
    private var cursor: UInt64 = 0
    /// The time until current values are reported again, in frames.
    private var framesUntilReport = 0
    /// The slot whose current value is reported next.
    private var nextReport = 0

    /// One fade.
    private struct Slot: BitwiseCopyable {
        // SAFETY: `followSplice` and `clear` remove the slots of all nodes that a schedule does
        // not continue with, before the node's memory can be freed.
        let node: UnsafeMutablePointer<NodeStep>?
        let target: Int32
        let value: FadingValue
        let start: UInt64
        /// Whether the fade is over or was interrupted, and is only kept until that is reported.
        var hasEnded = false

        var end: UInt64 { @_noLocks get { start &+ value.frames } }
    }

    init(arena: Arena) {
        let none = FadingValue(
            Fade(FadeManner(seconds: 0), of: .toggle("")), from: 0, to: 0, frames: 0)
        slots = arena.allocate(
            Self.capacity, Slot(node: nil, target: 0, value: none, start: 0, hasEnded: true))
    }

    // MARK: Starts and interruptions

    /// Starts a fade from the current value; a running fade of the value is replaced.
    ///
    /// Call `advance` up to the frame first.
    ///
    /// - Parameters:
    ///   - value: The fade, from the value that `origin` returns.
    ///   - node: A node of the current schedule.
    ///   - target: The index of a parameter, or an `RTTarget` with a value.
    ///   - frame: The engine's frame at which the fade starts.
    /// - Returns: Whether there was room.
    @_noLocks
    mutating func start(
        _ value: FadingValue, node: UnsafeMutablePointer<NodeStep>, target: Int32,
        at frame: UInt64
    ) -> Bool {
        var slot = Int(node.pointee.fadeSlot(target))
        if slot < 0 {
            guard count < Self.capacity else { return false }
            slot = count
            count += 1
            node.pointee.setFadeSlot(target, Int32(slot))
        }
        slots[slot] = Slot(node: node, target: target, value: value, start: frame)
        return true
    }

    /// Returns the value from which a fade starts: the value of the running fade, or of the node.
    @_noLocks
    func origin(
        _ node: UnsafeMutablePointer<NodeStep>, _ target: Int32, at frame: UInt64
    ) -> Float {
        let slot = Int(node.pointee.fadeSlot(target))
        guard slot >= 0, !slots[slot].hasEnded, frame >= slots[slot].start else {
            return node.pointee.value(target)
        }
        return slots[slot].value.value(atFrame: frame - slots[slot].start)
    }

    /// Ends the fade of a value at its current value, because something else sets the value.
    @_noLocks
    func interrupt(_ node: UnsafeMutablePointer<NodeStep>, _ target: Int32) {
        let slot = Int(node.pointee.fadeSlot(target))
        if slot >= 0 { slots[slot].hasEnded = true }
    }

    // MARK: Schedules

    /// Ends the fades of the nodes that do not stay, after a splice.
    @_noLocks
    mutating func followSplice() {
        var index = count
        while index > 0 {
            index -= 1
            if let node = slots[index].node, node.pointee.wiring.isLeaving { remove(index) }
        }
    }

    /// Ends all fades at their current values, because all nodes are replaced.
    @_noLocks
    mutating func clear() { while count > 0 { remove(count - 1) } }

    @_noLocks
    private mutating func remove(_ index: Int) {
        slots[index].node?.pointee.setFadeSlot(slots[index].target, -1)
        count -= 1
        guard index < count else { return }
        slots[index] = slots[count]
        slots[index].node?.pointee.setFadeSlot(slots[index].target, Int32(index))
    }

    // MARK: Time

    /// Adds all changes before a frame to the event list.
    ///
    /// - Parameters:
    ///   - end: The engine's frame.
    ///   - pieceStart: The engine's frame at the start of the event list's piece.
    ///   - maximumFrames: The largest piece.
    ///   - events: The event list of the piece.
    @_noLocks
    mutating func advance(
        to end: UInt64, pieceStart: UInt64, maximumFrames: Int, _ events: EventList
    ) {
        if cursor < pieceStart { cursor = pieceStart }
        guard count > 0 else {
            cursor = max(cursor, end)
            return
        }
        let grid = UInt64(gridFrames(maximumFrames: maximumFrames))
        while cursor < end {
            if cursor % grid == 0 { update(pieceStart, events) }
            let next = min(end, (cursor / grid + 1) * grid)
            finish(before: next, pieceStart, events)
            cursor = next
        }
    }

    /// Returns the distance of two points of the grid with which the changes of a piece fit into
    /// the event list.
    @_noLocks
    private func gridFrames(maximumFrames: Int) -> Int {
        let points = (maximumFrames + Self.gridFrames - 1) / Self.gridFrames
        let factor = (count * points + Self.changeCapacity - 1) / Self.changeCapacity
        return Self.gridFrames * max(1, factor)
    }

    /// Adds the values at the cursor.
    @_noLocks
    private func update(_ pieceStart: UInt64, _ events: EventList) {
        for index in 0..<count {
            let slot = slots[index]
            guard let node = slot.node, !slot.hasEnded, !slot.value.isStep, cursor > slot.start,
                cursor < slot.end
            else { continue }
            let value = slot.value.value(atFrame: cursor - slot.start)
            guard value != node.pointee.value(slot.target) else { continue }
            _ = send(slot, value, atFrame: Int32(cursor - pieceStart), events)
        }
    }

    /// Adds the targets of the fades that end before a frame.
    @_noLocks
    private func finish(before next: UInt64, _ pieceStart: UInt64, _ events: EventList) {
        for index in 0..<count {
            let slot = slots[index]
            guard !slot.hasEnded, slot.end < next else { continue }
            let frame = Int32(max(slot.end, cursor) - pieceStart)
            // If the list is full, the next piece sends the target.
            slots[index].hasEnded = send(slot, slot.value.target, atFrame: frame, events)
        }
    }

    @_noLocks
    private func send(
        _ slot: Slot, _ value: Float, atFrame frame: Int32, _ events: EventList
    ) -> Bool {
        guard let node = slot.node,
            events.add(
                node: node.pointee.wiring.number, target: slot.target, value: value, frame: frame)
        else { return false }
        node.pointee.store(slot.target, value)
        return true
    }

    // MARK: Reports

    /// Reports ended fades, and from time to time the current values of others.
    ///
    /// - Parameters:
    ///   - frames: The number of frames since the last call.
    ///   - interval: The time between two reports of current values, in frames.
    ///   - reports: The destination.
    @_noLocks
    mutating func report(_ frames: Int, every interval: Int, to reports: RingProducer<Report>) {
        guard count > 0 else { return }
        reportEnded(to: reports)
        framesUntilReport -= frames
        guard framesUntilReport <= 0 else { return }
        framesUntilReport = interval
        for _ in 0..<min(count, Self.reportBatch) {
            nextReport = nextReport + 1 < count ? nextReport + 1 : 0
            guard push(slots[nextReport], to: reports) else { return }
        }
    }

    @_noLocks
    private mutating func reportEnded(to reports: RingProducer<Report>) {
        var left = Self.reportBatch
        var index = count
        while index > 0, left > 0 {
            index -= 1
            guard slots[index].hasEnded else { continue }
            guard push(slots[index], to: reports) else { return }
            remove(index)
            left -= 1
        }
    }

    @_noLocks
    private func push(_ slot: Slot, to reports: RingProducer<Report>) -> Bool {
        guard let node = slot.node else { return true }
        return reports.push(
            .fading(
                node: node.pointee.wiring.number, target: slot.target,
                value: node.pointee.value(slot.target), goal: slot.value.target,
                isOver: slot.hasEnded))
    }
}
