internal import CRealtime
internal import Realtime

/// The data that a node's processors exchange with the engine in addition to audio and values:
/// MIDI, transport and their bypass state.
struct NodeContext: BitwiseCopyable {
    /// Whether the processors use MIDI and transport.
    let usesMIDIOrTransport: Bool
    /// The engine slot of the MIDI input that the node receives; -1 if the node receives no MIDI.
    var messageInput = -1
    /// The engine slot of the MIDI output that the node writes to; -1 if the node's MIDI is not
    /// used.
    var messageOutput = -1
    /// Whether the engine informs the processors that they are bypassed.
    let receivesBypass: Bool
    /// Whether the engine informs the processors of the tempo.
    let followsTempo: Bool
    /// Whether the processors read the transport, even in parts of a cycle.
    let followsTransport: Bool
    /// The status that the first processor reports; `nil` if it reports none.
    let status: UnsafePointer<RTStatus>?
    /// Whether the processors have been informed that they are bypassed.
    var hasSentBypass = false
    /// The latency that the processors reported last.
    var latencyFrames: Int32
    private var reportedLatencyFrames: Int32
    private var reportedDrops: UInt32 = 0

    init(
        usesMIDIOrTransport: Bool, receivesBypass: Bool, followsTempo: Bool,
        followsTransport: Bool, status: UnsafePointer<RTStatus>?, latencyFrames: Int
    ) {
        self.usesMIDIOrTransport = usesMIDIOrTransport
        self.receivesBypass = receivesBypass
        self.followsTempo = followsTempo
        self.followsTransport = followsTransport
        self.status = status
        self.latencyFrames = Int32(clamping: latencyFrames)
        reportedLatencyFrames = self.latencyFrames
    }

    /// Returns the inputs and outputs of one run of a processor; if the node has several
    /// processors, only the first one writes MIDI.
    @_noLocks
    func ofRun(in cycle: UnsafePointer<RTCycle>, isFirst: Bool) -> RTContext {
        var context = RTContext(
            messages: RTMessages(), sink: RTMessageSink(), transport: cycle.pointee.transport)
        if messageInput >= 0, let messages = cycle.pointee.messages {
            context.messages = messages[messageInput]
        }
        if isFirst, messageOutput >= 0, let sinks = cycle.pointee.sinks {
            context.sink = sinks[messageOutput]
        }
        return context
    }

    /// Returns the latency that the processors report, or `nil` if it has not changed.
    @_noLocks
    mutating func popNewLatency() -> Int32? {
        guard let status, status.pointee.latencyFrames != latencyFrames else { return nil }
        latencyFrames = status.pointee.latencyFrames
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
        guard let drops = status?.pointee.droppedMessages, drops != reportedDrops else { return }
        let count = Int32(clamping: drops &- reportedDrops)
        if reports.push(.droppedMessages(node: node, count: count)) { reportedDrops = drops }
    }
}
