internal import CRealtime
internal import Realtime
internal import Synchronization

/// The messages, time and reports of a hosted plugin, seen from the plugin's own process.
struct HostedTraffic: ~Copyable {
    private let share: PluginShare
    private let arrivals: MessageRing
    private let departures: MessageRing
    private let status: UnsafePointer<RTStatus>?
    private let time = Buffer(count: 1, repeating: RTTransport())
    /// The messages of the next run, and their bytes.
    private let messages: Buffer<RTMessage>
    private let bytes: Buffer<CacheLine>
    private let whole: Buffer<CacheLine>
    private var messageCount = 0
    private var usedBytes = 0
    /// Whether time has ever arrived; from then on, runs have context.
    private var hasTime = false
    /// The first frame of the current run.
    private var frame = 0
    private var reported: RTStatus
    /// The number of messages lost because earlier ones filled the buffer.
    private var lostMessages: UInt32 = 0

    /// Allocates the buffers.
    ///
    /// - Parameters:
    ///   - share: The shared memory with the rings of messages.
    ///   - status: Where the plugin's runs write their reports; `nil` if the plugin has none.
    init(_ share: PluginShare, status: UnsafePointer<RTStatus>?) {
        (self.share, self.status) = (share, status)
        let capacity = share.size.messageBytes
        // The buffers are zeroed, so that the audio thread meets no page fault.
        whole = Buffer(byteCount: max(1, capacity))
        bytes = Buffer(byteCount: max(1, capacity))
        let empty = RTMessage(
            frame: 0, byteCount: 0, bytes: bytes.address.assumingMemoryBound(to: UInt8.self))
        messages = Buffer(count: Int(PluginShare.messageCapacity), repeating: empty)
        arrivals = MessageRing(in: share.messagesIn, capacity: capacity, whole: whole.address)
        departures = MessageRing(in: share.messagesOut, capacity: capacity, whole: whole.address)
        reported = status?.pointee ?? RTStatus()
    }

    /// Stores a message for the next run; `frame` is the lower half of the message's frame.
    @_noLocks
    mutating func receiveMessage(frame: Int32) {
        guard share.size.messageBytes > 0, let message = arrivals.read() else { return }
        let byteCount = Int(message.byteCount)
        guard usedBytes + byteCount <= share.size.messageBytes,
            messageCount < Int(PluginShare.messageCapacity)
        else { return lostMessages &+= 1 }
        let copy = bytes.address + usedBytes
        rt_copy_bytes(copy, message.data, Int64(byteCount))
        messages[messageCount] = RTMessage(
            frame: frame, byteCount: Int32(byteCount),
            bytes: copy.assumingMemoryBound(to: UInt8.self))
        messageCount += 1
        usedBytes += byteCount
    }

    /// Reads the time of the next run.
    @_noLocks
    mutating func receiveTime() {
        guard share.size.messageBytes > 0, let message = arrivals.read(),
            Int(message.byteCount) == MemoryLayout<RTTransport>.size
        else { return }
        rt_copy_bytes(time.start, message.data, Int64(message.byteCount))
        hasTime = true
    }

    /// Returns the context of the run that starts at a frame; `nil` if no time has arrived.
    ///
    /// - Parameters:
    ///   - frame: The first frame of the run.
    ///   - address: The address of this value, which is the context of the message sink.
    /// - Returns: The context.
    @_noLocks
    mutating func begin(at frame: Int, address: UnsafeMutableRawPointer) -> RTContext? {
        guard hasTime else { return nil }
        self.frame = frame
        let origin = UInt32(truncatingIfNeeded: frame)
        for message in 0..<messageCount {
            let low = UInt32(bitPattern: messages[message].frame)
            messages[message].frame = Int32(bitPattern: low &- origin)
        }
        return RTContext(
            messages: RTMessages(
                first: UnsafePointer(messages.start), count: Int32(messageCount), startFrame: 0),
            sink: RTMessageSink(receive: receiveHostedMessage, context: address, startFrame: 0),
            transport: UnsafePointer(time.start))
    }

    /// Ends the run that started at a frame, and reports changed latency or drop counts.
    @_noLocks
    mutating func end(at frame: Int) {
        (messageCount, usedBytes) = (0, 0)
        guard var status = status?.pointee else { return }
        status.droppedMessages &+= lostMessages
        guard
            status.latencyFrames != reported.latencyFrames
                || status.droppedMessages != reported.droppedMessages
        else { return }
        if share.status.write(ShareStatus(frame: frame, status: status)) { reported = status }
    }

    /// Sends a message that the plugin wrote, at a frame of its run; returns `false` if there is no
    /// room.
    @_noLocks
    fileprivate func send(_ frame: Int32, _ bytes: UnsafePointer<UInt8>, _ byteCount: Int32) -> Bool
    {
        let tag = UInt32(truncatingIfNeeded: self.frame + Int(frame))
        return departures.write(bytes, byteCount: UInt32(max(0, byteCount)), tag: tag)
    }
}

/// Sends a message that the plugin writes during its run; returns `false` if there is no room.
///
/// SAFETY: the context is a `HostedTraffic` that lives as long as the plugin.
@_noLocks
private func receiveHostedMessage(
    _ context: UnsafeMutableRawPointer, _ frame: Int32, _ bytes: UnsafePointer<UInt8>,
    _ byteCount: Int32
) -> Bool {
    context.assumingMemoryBound(to: HostedTraffic.self).pointee.send(frame, bytes, byteCount)
}
