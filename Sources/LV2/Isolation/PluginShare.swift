internal import CRealtime
internal import Platform
internal import Synchronization

/// A view of memory that two processes share: sound, messages, reports, and words for their
/// progress.
///
/// Both processes run the same program, so both use the same layout. Sound is addressed by its
/// frame, counted from the first frame of the child process.
///
/// The host process trusts nothing in it. It keeps sizes and positions in its own memory (`size`,
/// `ledger`), and checks or clamps each value that it reads.
struct PluginShare: BitwiseCopyable {
    /// The capacity for messages.
    static var messageCapacity: UInt32 { @_noLocks get { 4096 } }
    /// The number of marks; a plugin that reports its latency has two instances.
    static let markCount = 4
    /// The version of the layout.
    static let version = 4
    /// Bytes for the reason why the plugin could not be created.
    static let reasonBytes = 2048

    /// The sizes from which the layout follows.
    struct Size: BitwiseCopyable {
        /// The version of the layout.
        var version: Int = PluginShare.version
        var inputCount: Int
        var outputCount: Int
        /// Frames of each channel's ring, a power of two.
        var ringFrames: Int
        var reportCount: Int
        /// Bytes of each message ring, a power of two; 0 without events and time.
        var messageBytes: Int
        /// Bytes of the request, as `HostRequest` writes it.
        var requestBytes: Int
    }

    /// The progress of the plugin's process.
    enum Stage: UInt32 { case starting, ready, refused }

    let memory: UnsafeMutableRawPointer
    let size: Size
    let bytes: Int
    /// This process's private record of the share.
    let ledger: UnsafeMutablePointer<ShareLedger>

    /// The number of posted messages; the plugin's process waits for it.
    let posted: UnsafeMutablePointer<Atomic<UInt32>>
    /// The number of messages carried out; the host process may wait for it.
    let handledCount: UnsafeMutablePointer<Atomic<UInt32>>
    /// Whether the plugin's process sleeps and must be woken.
    let isHostAsleep: UnsafeMutablePointer<Atomic<UInt32>>
    /// Whether the host process sleeps and must be woken.
    let isPlayerAsleep: UnsafeMutablePointer<Atomic<UInt32>>
    let stage: UnsafeMutablePointer<Atomic<UInt32>>
    /// Whether the plugin's process is asked to end.
    let shouldEnd: UnsafeMutablePointer<Atomic<UInt32>>
    /// Whether the plugin wrote beyond a buffer.
    let wroteBeyond: UnsafeMutablePointer<Atomic<UInt32>>
    let latencyFrames: UnsafeMutablePointer<Atomic<UInt32>>
    /// The frame up to which the plugin has rendered.
    let playedFrames: UnsafeMutablePointer<Atomic<UInt64>>
    /// The number of the last request about the plugin's state, and of the last answer.
    let stateRequested: UnsafeMutablePointer<Atomic<UInt32>>
    let stateAnswered: UnsafeMutablePointer<Atomic<UInt32>>
    /// A `StateRequest`.
    let stateOrder: UnsafeMutablePointer<Atomic<UInt32>>
    /// Bytes of the text that follows this memory in the file: a state, or the reason why it could
    /// not be saved.
    let stateBytes: UnsafeMutablePointer<Atomic<UInt32>>
    let isStateError: UnsafeMutablePointer<Atomic<UInt32>>
    /// Whether the plugin has a state beyond its control values.
    let keepsState: UnsafeMutablePointer<Atomic<UInt32>>
    /// The parts of the child's sandbox that are in force, as a `ProcessSandbox.Force`.
    let sandboxForce: UnsafeMutablePointer<Atomic<UInt32>>
    let messages: UnsafeMutablePointer<ShareMessage>
    let reports: UnsafeMutablePointer<Float>
    /// The plugin's reports of latency and dropped messages, with the run of each.
    let status: ShareStatusRing
    /// The ring of messages to the plugin, including the time of each run.
    let messagesIn: UnsafeMutableRawPointer
    /// The ring of messages from the plugin, tagged with the lower half of their frames.
    let messagesOut: UnsafeMutableRawPointer
    private let samples: UnsafeMutablePointer<Float>
    let marks: UnsafeMutableRawPointer
    let reason: UnsafeMutableRawPointer
    /// The calls and file accesses that the sandbox has refused.
    let refusals: SandboxRefusals
    let request: UnsafeMutableRawPointer

    /// Computes the layout of the memory.
    init(
        _ memory: UnsafeMutableRawPointer, _ size: Size,
        _ ledger: UnsafeMutablePointer<ShareLedger>
    ) {
        self.memory = memory
        self.size = size
        self.ledger = ledger
        let words = (memory + 512).bindMemory(to: Atomic<UInt32>.self, capacity: 384)
        // Each word is on its own cache line.
        (posted, handledCount, isHostAsleep) = (words, words + 16, words + 32)
        (isPlayerAsleep, stage, shouldEnd) = (words + 48, words + 64, words + 80)
        (wroteBeyond, latencyFrames) = (words + 112, words + 128)
        playedFrames = (memory + 512 + 64 * 9)
            .bindMemory(to: Atomic<UInt64>.self, capacity: 1)
        (stateRequested, stateAnswered, stateOrder) = (words + 160, words + 176, words + 192)
        (stateBytes, isStateError, keepsState) = (words + 208, words + 224, words + 240)
        sandboxForce = words + 352
        var offset = 2048
        func area(_ bytes: Int) -> UnsafeMutableRawPointer {
            defer { offset = (offset + bytes + 63) & ~63 }
            return memory + offset
        }
        marks = area(Self.markCount * CrashMark.bytes)
        reason = area(Self.reasonBytes)
        request = area(size.requestBytes)
        messages = area(Int(Self.messageCapacity) * MemoryLayout<ShareMessage>.stride)
            .bindMemory(to: ShareMessage.self, capacity: Int(Self.messageCapacity))
        reports = area(size.reportCount * 4).bindMemory(to: Float.self, capacity: size.reportCount)
        status = ShareStatusRing(area(ShareStatusRing.bytes))
        messagesIn = area(MessageRing.memoryBytes(capacity: size.messageBytes))
        messagesOut = area(MessageRing.memoryBytes(capacity: size.messageBytes))
        let channels = size.inputCount + size.outputCount
        let sampleCount = channels * size.ringFrames
        samples = area(sampleCount * 4).bindMemory(to: Float.self, capacity: sampleCount)
        refusals = SandboxRefusals(area(SandboxRefusals.byteCount))
        bytes = offset
    }

    /// Returns whether there is room for a message and for `room` more.
    @_noLocks
    func hasRoom(leaving room: UInt32) -> Bool {
        let waiting =
            ledger.pointee.messageCount.load(ordering: .relaxed)
            &- handledCount.pointee.load(ordering: .acquiring)
        guard waiting <= Self.messageCapacity else {
            ledger.pointee.noteWrong()
            return false
        }
        return waiting + room < Self.messageCapacity
    }

    /// Posts a message; returns `false` if that would not leave room for `room` more.
    @_noLocks
    func post(_ message: ShareMessage, leaving room: UInt32) -> Bool {
        guard hasRoom(leaving: room) else { return false }
        let position = ledger.pointee.messageCount.load(ordering: .relaxed)
        messages[Int(position & (Self.messageCapacity - 1))] = message
        ledger.pointee.messageCount.store(position &+ 1, ordering: .relaxed)
        posted.pointee.store(position &+ 1, ordering: .sequentiallyConsistent)
        return true
    }

    /// The latency that the plugin reported when it was created, in frames.
    ///
    /// It is at most `ShareStatus.maximumLatencyFrames`.
    var reportedLatencyFrames: Int32 {
        @_noLocks get {
            ShareStatus.clamped(
                Int32(clamping: latencyFrames.pointee.load(ordering: .relaxed)))
        }
    }

    /// Returns the ring of a channel; the outputs follow the inputs.
    @_noLocks
    private func ring(_ channel: Int) -> UnsafeMutablePointer<Float> {
        samples + channel * size.ringFrames
    }

    /// Writes frames to a channel's ring.
    @_noLocks
    func write(_ channel: Int, at frame: Int, _ from: UnsafePointer<Float>, _ count: Int) {
        let start = frame & (size.ringFrames - 1)
        let head = min(count, size.ringFrames - start)
        rt_copy(ring(channel) + start, from, Int64(head))
        rt_copy(ring(channel), from + head, Int64(count - head))
    }

    /// Reads frames from a channel's ring.
    @_noLocks
    func read(_ channel: Int, at frame: Int, _ into: UnsafeMutablePointer<Float>, _ count: Int) {
        let start = frame & (size.ringFrames - 1)
        let head = min(count, size.ringFrames - start)
        rt_copy(into, ring(channel) + start, Int64(head))
        rt_copy(into + head, ring(channel), Int64(count - head))
    }
}

extension PluginShare {
    /// The frame up to which the plugin has rendered.
    ///
    /// It never decreases and never exceeds the posted frames. A shared number outside these bounds
    /// is recorded in the ledger and ignored.
    var playedCount: Int {
        @_noLocks get {
            let known = ledger.pointee.playedFrames.load(ordering: .relaxed)
            let reported = Int(
                truncatingIfNeeded: playedFrames.pointee.load(ordering: .sequentiallyConsistent))
            guard reported >= known,
                reported <= ledger.pointee.postedFrames.load(ordering: .relaxed)
            else {
                ledger.pointee.noteWrong()
                return known
            }
            ledger.pointee.playedFrames.store(reported, ordering: .relaxed)
            return reported
        }
    }

    /// Waits until the plugin has rendered up to a frame, its process is lost, or the time is over.
    ///
    /// - Parameters:
    ///   - end: The frame.
    ///   - timeoutNanoseconds: The longest wait.
    @_noLocks
    func wait(until end: Int, timeoutNanoseconds: UInt64) {
        guard playedCount < end else { return }
        let start = rt_nanoseconds()
        while ledger.pointee.isLost.load(ordering: .relaxed) == 0 {
            let seen = handledCount.pointee.load(ordering: .relaxed)
            isPlayerAsleep.pointee.store(1, ordering: .sequentiallyConsistent)
            let isDone = playedCount >= end
            let passed = rt_nanoseconds() - start
            if isDone || passed >= timeoutNanoseconds { break }
            ledger.pointee.endCycle()
            // Offline, check from time to time whether the process still lives.
            rt_wait_while(handledCount, seen, min(timeoutNanoseconds - passed, 20_000_000))
        }
        isPlayerAsleep.pointee.store(0, ordering: .relaxed)
    }
}
