internal import CRealtime
internal import Synchronization

/// A plugin's report of its latency and dropped messages, and the run that it belongs to.
struct ShareStatus: BitwiseCopyable {
    /// The longest latency that is accepted, in frames; a larger number is clamped.
    static var maximumLatencyFrames: Int32 { @_noLocks get { 10_000_000 } }

    /// The first frame of the run.
    var frame: Int
    var status: RTStatus

    /// Returns a latency that another process reported, clamped to the accepted range.
    @_noLocks
    static func clamped(_ latencyFrames: Int32) -> Int32 {
        min(max(0, latencyFrames), maximumLatencyFrames)
    }
}

/// A ring of reports from the plugin's process to the host, written only when values change.
struct ShareStatusRing: BitwiseCopyable {
    // SAFETY: an element is written before the release of `written`, and overwritten only after the
    // acquire of `read`.
    static var capacity: UInt32 { @_noLocks get { 64 } }
    static let bytes = 128 + 64 * MemoryLayout<ShareStatus>.stride

    private let written: UnsafeMutablePointer<Atomic<UInt32>>
    private let read: UnsafeMutablePointer<Atomic<UInt32>>
    private let elements: UnsafeMutablePointer<ShareStatus>

    /// Creates a ring in memory that is initially zero.
    init(_ memory: UnsafeMutableRawPointer) {
        written = memory.bindMemory(to: Atomic<UInt32>.self, capacity: 32)
        read = written + 16
        elements = (memory + 128).bindMemory(to: ShareStatus.self, capacity: 64)
    }

    /// Writes a report; returns `false` if there is no room.
    @_noLocks
    func write(_ status: ShareStatus) -> Bool {
        let position = written.pointee.load(ordering: .relaxed)
        let used = position &- read.pointee.load(ordering: .acquiring)
        guard used < Self.capacity else { return false }
        elements[Int(position % Self.capacity)] = status
        written.pointee.store(position &+ 1, ordering: .releasing)
        return true
    }

    /// Removes and returns the oldest report if its run began before a frame.
    ///
    /// - Parameters:
    ///   - end: The frame.
    ///   - position: The number of reports read so far, from this end's private memory.
    /// - Returns: The report; `nil` if no report precedes the frame, or the ring's numbers are
    ///   invalid.
    @_noLocks
    func next(before end: Int, at position: inout UInt32) -> RTStatus? {
        let waiting = written.pointee.load(ordering: .acquiring) &- position
        guard waiting > 0, waiting <= Self.capacity else { return nil }
        let oldest = elements[Int(position % Self.capacity)]
        guard oldest.frame < end else { return nil }
        position &+= 1
        read.pointee.store(position, ordering: .releasing)
        return oldest.status
    }
}
