internal import CRealtime
internal import Realtime

/// The data that a node's processors exchange with the engine in addition to audio and values:
/// MIDI, transport and their bypass state.
struct NodeSurroundings: BitwiseCopyable {
    /// Whether the processors use MIDI and transport.
    let usesSurroundings: Bool
    /// The engine slot of the MIDI input that the node receives; -1 if the node receives no MIDI.
    var messageInput = -1
    /// The engine slot of the MIDI output that the node writes to; -1 if the node's MIDI is not
    /// used.
    var messageOutput = -1
    /// Whether the engine informs the processors that they are bypassed.
    let receivesBypass: Bool
    /// Whether the engine informs the processors of the tempo.
    let followsTempo: Bool
    /// The status that the first processor reports; `nil` if it reports none.
    let news: UnsafePointer<RTNews>?
    /// Whether the processors have been informed that they are bypassed.
    var hasSentBypass = false
    /// The latency that the processors reported last.
    var latencyFrames: Int32
    private var reportedLatencyFrames: Int32
    private var reportedDrops: UInt32 = 0

    init(
        usesSurroundings: Bool, receivesBypass: Bool, followsTempo: Bool,
        news: UnsafePointer<RTNews>?, latencyFrames: Int
    ) {
        self.usesSurroundings = usesSurroundings
        self.receivesBypass = receivesBypass
        self.followsTempo = followsTempo
        self.news = news
        self.latencyFrames = Int32(clamping: latencyFrames)
        reportedLatencyFrames = self.latencyFrames
    }

    /// Returns the inputs and outputs of one run of a processor; if the node has several
    /// processors, only the first one writes MIDI.
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

    /// Returns the latency that the processors report, or `nil` if it has not changed.
    @_noLocks
    mutating func popNewLatency() -> Int32? {
        guard let news, news.pointee.latencyFrames != latencyFrames else { return nil }
        latencyFrames = news.pointee.latencyFrames
        return latencyFrames
    }

    /// Reports changes since the last report; if the ring is full, a later call reports them.
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
