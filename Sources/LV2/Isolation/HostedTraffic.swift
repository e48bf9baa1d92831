internal import CRealtime
internal import Synchronization

/// What comes to a hosted plugin and goes from it beside its sound, in the plugin's own process.
struct HostedTraffic {
    private let share: PluginShare
    private let arrivals: MessageRing
    private let departures: MessageRing
    private let news: UnsafePointer<RTNews>?
    private let time: UnsafeMutablePointer<RTTransport>
    /// The messages of the next run, and their bytes.
    private let messages: UnsafeMutablePointer<RTMessage>
    private let bytes: UnsafeMutableRawPointer
    private let whole: UnsafeMutableRawPointer
    private var messageCount = 0
    private var usedBytes = 0
    /// Whether time was ever told: then runs have surroundings.
    private var hasTime = false
    /// The first frame of the present run.
    private var frame = 0
    private var told: RTNews
    /// Messages that came while no run took those before them.
    private var lostMessages: UInt32 = 0

    /// - Parameters:
    ///   - share: The memory that messages come and go by.
    ///   - news: Where the plugin's runs write what it tells; nil where it tells nothing.
    init(_ share: PluginShare, news: UnsafePointer<RTNews>?) {
        (self.share, self.news) = (share, news)
        let capacity = share.size.messageBytes
        whole = .allocate(byteCount: max(16, capacity), alignment: 16)
        bytes = .allocate(byteCount: max(16, capacity), alignment: 16)
        // So that the audio thread meets no page for the first time.
        whole.initializeMemory(as: UInt8.self, repeating: 0, count: max(16, capacity))
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: max(16, capacity))
        messages = .allocate(capacity: Int(PluginShare.messageCapacity))
        time = .allocate(capacity: 1)
        time.initialize(to: RTTransport())
        arrivals = MessageRing(in: share.messagesIn, capacity: capacity, whole: whole)
        departures = MessageRing(in: share.messagesOut, capacity: capacity, whole: whole)
        told = news?.pointee ?? RTNews()
    }

    func deallocate() {
        whole.deallocate()
        bytes.deallocate()
        messages.deallocate()
        time.deallocate()
    }

    /// Takes in a message for the next run, whose frame has this lower half.
    @_noLocks
    mutating func takeMessage(frame: Int32) {
        guard share.size.messageBytes > 0, let message = arrivals.read() else { return }
        let byteCount = Int(message.byteCount)
        guard usedBytes + byteCount <= share.size.messageBytes,
            messageCount < Int(PluginShare.messageCapacity)
        else { return lostMessages &+= 1 }
        let place = bytes + usedBytes
        rt_copy_bytes(place, message.data, Int64(byteCount))
        messages[messageCount] = RTMessage(
            frame: frame, byteCount: Int32(byteCount),
            bytes: place.assumingMemoryBound(to: UInt8.self))
        messageCount += 1
        usedBytes += byteCount
    }

    /// Takes in the time of the next run.
    @_noLocks
    mutating func takeTime() {
        guard share.size.messageBytes > 0, let message = arrivals.read(),
            Int(message.byteCount) == MemoryLayout<RTTransport>.size
        else { return }
        rt_copy_bytes(time, message.data, Int64(message.byteCount))
        hasTime = true
    }

    /// What the run from a frame on gets beside its sound; nil where nobody told any.
    ///
    /// Messages are given to the place, which is where this is.
    @_noLocks
    mutating func begin(at frame: Int, place: UnsafeMutableRawPointer) -> RTSurroundings? {
        guard hasTime else { return nil }
        self.frame = frame
        let origin = UInt32(truncatingIfNeeded: frame)
        for message in 0..<messageCount {
            let low = UInt32(bitPattern: messages[message].frame)
            messages[message].frame = Int32(bitPattern: low &- origin)
        }
        return RTSurroundings(
            messages: RTMessages(
                first: UnsafePointer(messages), count: Int32(messageCount), startFrame: 0),
            sink: RTMessageSink(take: takeHostedMessage, context: place, startFrame: 0),
            transport: UnsafePointer(time))
    }

    /// After a run from a frame on: tells what is new.
    @_noLocks
    mutating func end(at frame: Int) {
        (messageCount, usedBytes) = (0, 0)
        guard var news = news?.pointee else { return }
        news.droppedMessages &+= lostMessages
        guard
            news.latencyFrames != told.latencyFrames
                || news.droppedMessages != told.droppedMessages
        else { return }
        if share.news.write(ShareNews(frame: frame, news: news)) { told = news }
    }

    /// Sends a message of the plugin's at a frame of its run.
    @_noLocks
    fileprivate func give(_ frame: Int32, _ bytes: UnsafePointer<UInt8>, _ byteCount: Int32) -> Bool
    {
        let tag = UInt32(truncatingIfNeeded: self.frame + Int(frame))
        return departures.write(bytes, byteCount: UInt32(max(0, byteCount)), tag: tag)
    }
}

/// Takes what the plugin gives in its run.
///
/// SAFETY: the context is a `HostedTraffic`, alive as long as the plugin.
@_noLocks
private func takeHostedMessage(
    _ context: UnsafeMutableRawPointer, _ frame: Int32, _ bytes: UnsafePointer<UInt8>,
    _ byteCount: Int32
) -> Bool {
    context.assumingMemoryBound(to: HostedTraffic.self).pointee.give(frame, bytes, byteCount)
}
