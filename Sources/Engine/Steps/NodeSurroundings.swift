internal import CRealtime
internal import Realtime

/// What a node's processors get beside sound and values: MIDI, time, and word of their bypass.
struct NodeSurroundings: BitwiseCopyable {
    /// Whether the processors take messages and time.
    let playsInTime: Bool
    /// The pipeline's MIDI input that plays the node, by its place among those; -1 where none does.
    var messageInput = -1
    /// The pipeline's MIDI output that takes what the node gives; -1 where none does.
    var messageOutput = -1
    /// Whether the processors are told whether they are heard.
    let takesBypass: Bool
    /// Whether the processors are told the tempo.
    let followsTempo: Bool
    /// What the first processor tells; nil where it tells nothing.
    let news: UnsafePointer<RTNews>?
    /// Whether the processors know that they are not heard.
    var isToldOfBypass = false
    /// How late the processors are, as they last told.
    var latencyFrames: Int32
    private var reportedLatencyFrames: Int32
    private var reportedDrops: UInt32 = 0

    init(
        playsInTime: Bool, takesBypass: Bool, followsTempo: Bool,
        news: UnsafePointer<RTNews>?, latencyFrames: Int
    ) {
        self.playsInTime = playsInTime
        self.takesBypass = takesBypass
        self.followsTempo = followsTempo
        self.news = news
        self.latencyFrames = Int32(clamping: latencyFrames)
        reportedLatencyFrames = self.latencyFrames
    }

    /// What a processor's run gets and gives beside sound; what several processors give is the first one's.
    @_noLocks
    func ofRun(in cycle: UnsafePointer<RTCycle>, isFirst: Bool) -> RTSurroundings {
        var surroundings = RTSurroundings(
            messages: RTMessages(), sink: RTMessageSink(), transport: cycle.pointee.transport)
        if messageInput >= 0, let messages = cycle.pointee.messages {
            surroundings.messages = messages[messageInput]
        }
        if isFirst, messageOutput >= 0, let sinks = cycle.pointee.sinks {
            surroundings.sink = sinks[messageOutput]
        }
        return surroundings
    }

    /// The latency that the processors tell, where it is another one than before.
    @_noLocks
    mutating func takeNewLatency() -> Int32? {
        guard let news, news.pointee.latencyFrames != latencyFrames else { return nil }
        latencyFrames = news.pointee.latencyFrames
        return latencyFrames
    }

    /// Reports what is new since the last time; what the ring does not take is reported later.
    @_noLocks
    mutating func report(node: Int32, _ reports: RingProducer<Report>) {
        if latencyFrames != reportedLatencyFrames,
            reports.push(.latency(node: node, frames: latencyFrames))
        {
            reportedLatencyFrames = latencyFrames
        }
        guard let drops = news?.pointee.droppedMessages, drops != reportedDrops else { return }
        let count = Int32(clamping: drops &- reportedDrops)
        if reports.push(.droppedMessages(node: node, count: count)) { reportedDrops = drops }
    }
}
