internal import CRealtime
internal import Realtime
internal import Synchronization

/// The messages, time and reports of an isolated plugin, seen from the audio thread.
struct IsolatedTraffic: BitwiseCopyable {
    /// Bytes of each message ring, if the plugin has any; a longer message is dropped.
    static let ringBytes = 1 << 20
    /// The most messages of a plugin that one run passes on; the rest follows in the next run.
    private static var maximumMessages: Int { @_noLocks get { 4096 } }

    private let status: UnsafeMutablePointer<RTStatus>
    private let capacity: Int
    /// The buffer in which a message is assembled.
    private let whole: UnsafeMutableRawPointer
    private let delayFrames: Int32
    /// Messages for which this side had no room.
    private var ownDrops: UInt32 = 0
    /// Messages for which the plugins of earlier processes, and of the current one, had no room.
    private var formerDrops: UInt32 = 0
    private var pluginDrops: UInt32 = 0
    /// This side's positions in the rings, which the plugin's process cannot change.
    private var sentBytes = 0
    private var receivedBytes = 0
    private var receivedStatusCount: UInt32 = 0

    /// Starts with empty rings.
    ///
    /// - Parameters:
    ///   - owned: The memory that it uses.
    ///   - delayFrames: The latency that the separate process adds, in frames.
    init(_ owned: IsolatedMemory, delayFrames: Int) {
        (status, capacity) = (owned.status.start, owned.messageBytes)
        whole = owned.message.address
        self.delayFrames = Int32(clamping: delayFrames)
    }

    /// The latency that was reported last, in frames.
    var latencyFrames: Int32 { status.pointee.latencyFrames }

    // MARK: To the plugin

    /// Posts the messages and the time of the run that starts at a frame, before the run itself.
    @_noLocks
    mutating func post(_ block: UnsafePointer<RTBlock>, at frame: Int, to share: PluginShare) {
        guard capacity > 0, let context = block.pointee.context else { return }
        let messages = context.pointee.messages
        if let first = messages.first {
            for index in 0..<Int(messages.count) {
                let message = first[index]
                let at = frame + Int(message.frame) - Int(messages.startFrame)
                let isSent = send(.midi, at, message.bytes, Int(message.byteCount), share)
                if !isSent { ownDrops &+= 1 }
            }
        }
        let time = context.pointee.transport
        _ = send(.time, 0, time, MemoryLayout<RTTransport>.size, share)
    }

    /// Sends a whole message; returns `false` if there is no room for it and for a run.
    @_noLocks
    private mutating func send(
        _ kind: ShareMessage.Kind, _ frame: Int, _ bytes: UnsafeRawPointer, _ byteCount: Int,
        _ share: PluginShare
    ) -> Bool {
        let ring = MessageRing(in: share.messagesIn, capacity: capacity, whole: whole)
        guard byteCount >= 0, share.hasRoom(leaving: 64),
            ring.write(
                bytes, byteCount: UInt32(truncatingIfNeeded: byteCount), at: &sentBytes)
        else { return false }
        let number = Int32(truncatingIfNeeded: frame)
        return share.post(.init(kind: kind.rawValue, number: number, value: 0), leaving: 0)
    }

    // MARK: From the plugin

    /// Passes on the messages and reports that belong to the output that is delivered now.
    ///
    /// A message that arrives later than its frame of output is passed on at once.
    ///
    /// - Parameters:
    ///   - block: The destination of the messages.
    ///   - start: The first frame, on the plugin's clock.
    ///   - silentFrames: The number of frames at the start that precede the plugin's last reset.
    ///   - share: The shared memory with the rings.
    @_noLocks
    mutating func deliver(
        _ block: UnsafePointer<RTBlock>, from start: Int, silentFrames: Int, _ share: PluginShare
    ) {
        let end = start + Int(block.pointee.frameCount)
        // Bounded: a process that writes without end must not keep the audio thread here.
        for _ in 0..<ShareStatusRing.capacity {
            guard let reported = share.status.next(before: end, at: &receivedStatusCount) else {
                break
            }
            status.pointee.latencyFrames =
                ShareStatus.clamped(reported.latencyFrames) &+ delayFrames
            pluginDrops = reported.droppedMessages
        }
        if capacity > 0 { passOnMessages(block, from: start, silentFrames: silentFrames, share) }
        status.pointee.droppedMessages = formerDrops &+ pluginDrops &+ ownDrops
    }

    /// Passes on the messages up to the end of the block, except those before a reset.
    @_noLocks
    private mutating func passOnMessages(
        _ block: UnsafePointer<RTBlock>, from start: Int, silentFrames: Int, _ share: PluginShare
    ) {
        let ring = MessageRing(in: share.messagesOut, capacity: capacity, whole: whole)
        let origin = UInt32(truncatingIfNeeded: start)
        let firstByte = receivedBytes
        for _ in 0..<Self.maximumMessages where receivedBytes &- firstByte <= capacity {
            guard let tag = ring.nextTag(at: receivedBytes),
                case let frame = Int32(bitPattern: tag &- origin),
                frame < block.pointee.frameCount, let message = ring.read(at: &receivedBytes)
            else { return }
            guard silentFrames == 0 || Int(frame) >= silentFrames,
                let sink = block.pointee.context?.pointee.sink
            else { continue }
            let bytes = message.data.assumingMemoryBound(to: UInt8.self)
            let isTaken = rt_give_message(
                sink, max(0, frame), bytes, Int32(truncatingIfNeeded: message.byteCount))
            if !isTaken { ownDrops &+= 1 }
        }
    }

    /// Switches to another process, whose plugin reports this latency.
    @_noLocks
    mutating func begin(latencyFrames: Int32) {
        (sentBytes, receivedBytes, receivedStatusCount) = (0, 0, 0)
        formerDrops &+= pluginDrops
        pluginDrops = 0
        status.pointee.latencyFrames = latencyFrames &+ delayFrames
    }
}
