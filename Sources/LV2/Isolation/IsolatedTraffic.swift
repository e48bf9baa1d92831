internal import CRealtime
internal import Synchronization

/// The audio thread's side of what goes to a plugin in a process of its own, and comes from it, beside the sound.
struct IsolatedTraffic: BitwiseCopyable {
    /// Bytes of each ring of messages where there are any; a longer message is dropped.
    static let ringBytes = 1 << 20
    private static var longestLatencyFrames: Int32 { @_noLocks get { 10_000_000 } }

    private let news: UnsafeMutablePointer<RTNews>
    private let capacity: Int
    /// Where a message is put together.
    private let whole: UnsafeMutableRawPointer
    private let delayFrames: Int32
    /// Messages that this side had no room for.
    private var ownDrops: UInt32 = 0
    /// Those that the plugins of former processes had none for, and that of the present one.
    private var formerDrops: UInt32 = 0
    private var pluginDrops: UInt32 = 0

    /// - Parameters:
    ///   - owned: The memory it uses.
    ///   - delayFrames: What the plugin is late by because it plays elsewhere.
    init(_ owned: IsolatedMemory, delayFrames: Int) {
        (news, capacity, whole) = (owned.news, owned.messageBytes, owned.message)
        self.delayFrames = Int32(clamping: delayFrames)
    }

    // MARK: The way there

    /// Posts what comes with a run from a frame on, before the run itself.
    @_noLocks
    mutating func post(_ block: UnsafePointer<RTBlock>, at frame: Int, to share: PluginShare) {
        guard capacity > 0, let beside = block.pointee.surroundings else { return }
        let messages = beside.pointee.messages
        if let first = messages.first {
            for place in 0..<Int(messages.count) {
                let message = first[place]
                let at = frame + Int(message.frame) - Int(messages.startFrame)
                let isSent = send(.midi, at, message.bytes, Int(message.byteCount), share)
                if !isSent { ownDrops &+= 1 }
            }
        }
        let time = beside.pointee.transport
        _ = send(.time, 0, time, MemoryLayout<RTTransport>.size, share)
    }

    /// Sends bytes whole, or returns false where there is no room for them and for a run.
    @_noLocks
    private func send(
        _ kind: ShareMessage.Kind, _ frame: Int, _ bytes: UnsafeRawPointer, _ byteCount: Int,
        _ share: PluginShare
    ) -> Bool {
        let ring = MessageRing(in: share.messagesIn, capacity: capacity, whole: whole)
        guard byteCount >= 0, share.hasRoom(leaving: 64),
            ring.write(bytes, byteCount: UInt32(truncatingIfNeeded: byteCount))
        else { return false }
        let number = Int32(truncatingIfNeeded: frame)
        return share.post(.init(kind: kind.rawValue, number: number, value: 0), leaving: 0)
    }

    // MARK: The way back

    /// Hands on what the plugin gave in frames of its sound that are delivered now.
    ///
    /// A message that comes later than its sound would have is given at once.
    ///
    /// - Parameters:
    ///   - block: Where messages go.
    ///   - start: The first frame, as the plugin counts.
    ///   - silentFrames: How many frames at the beginning are of a plugin that was reset since.
    ///   - share: The memory they lie in.
    @_noLocks
    mutating func deliver(
        _ block: UnsafePointer<RTBlock>, from start: Int, silentFrames: Int, _ share: PluginShare
    ) {
        let end = start + Int(block.pointee.frameCount)
        while let told = share.news.next(before: end) {
            let latency = min(max(0, told.latencyFrames), Self.longestLatencyFrames)
            news.pointee.latencyFrames = latency &+ delayFrames
            pluginDrops = told.droppedMessages
        }
        if capacity > 0 { giveMessages(block, from: start, silentFrames: silentFrames, share) }
        news.pointee.droppedMessages = formerDrops &+ pluginDrops &+ ownDrops
    }

    @_noLocks
    private mutating func giveMessages(
        _ block: UnsafePointer<RTBlock>, from start: Int, silentFrames: Int, _ share: PluginShare
    ) {
        let ring = MessageRing(in: share.messagesOut, capacity: capacity, whole: whole)
        let origin = UInt32(truncatingIfNeeded: start)
        while let tag = ring.nextTag, case let frame = Int32(bitPattern: tag &- origin),
            frame < block.pointee.frameCount, let message = ring.read()
        {
            guard silentFrames == 0 || Int(frame) >= silentFrames,
                let sink = block.pointee.surroundings?.pointee.sink
            else { continue }
            let bytes = message.data.assumingMemoryBound(to: UInt8.self)
            let isTaken = rt_give_message(
                sink, max(0, frame), bytes, Int32(truncatingIfNeeded: message.byteCount))
            if !isTaken { ownDrops &+= 1 }
        }
    }

    /// Goes over to another process, whose plugin tells this latency.
    @_noLocks
    mutating func begin(latencyFrames: UInt32) {
        formerDrops &+= pluginDrops
        pluginDrops = 0
        news.pointee.latencyFrames = Int32(clamping: latencyFrames) &+ delayFrames
    }
}
