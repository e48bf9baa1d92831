internal import CLilv
internal import CRealtime
internal import Glibc
internal import Synchronization

/// Memory that two processes share: sound, messages, reports, and the words by which they tell each other how far they are.
///
/// Both are the same program, so both lay it out alike. Sound is addressed by its frame, counted from the process' first.
struct PluginShare: BitwiseCopyable {
    /// How many messages fit.
    static var messageCapacity: UInt32 { @_noLocks get { 4096 } }
    /// How many marks there are: a plugin that tells its latency is there twice.
    static let markCount = 4
    /// Bytes for the reason why there is no plugin.
    static let reasonBytes = 2048

    /// What the memory is made for.
    struct Size: BitwiseCopyable {
        /// Tells one layout from another.
        var version: Int = 2
        var inputCount: Int
        var outputCount: Int
        /// Frames of each channel's ring, a power of two.
        var ringFrames: Int
        var reportCount: Int
        /// Of each ring of MIDI messages, a power of two; 0 where there is neither MIDI nor time.
        var messageBytes: Int
        /// Of what is to be made, as `HostRequest` writes it.
        var requestBytes: Int
    }

    /// How far the plugin's process has come.
    enum Stage: UInt32 { case starting, ready, refused }

    let memory: UnsafeMutableRawPointer
    let size: Size
    let bytes: Int

    /// How many messages were posted; the plugin's process waits for it.
    let posted: UnsafeMutablePointer<Atomic<UInt32>>
    /// How many of them were carried out; our process may wait for it.
    let taken: UnsafeMutablePointer<Atomic<UInt32>>
    /// Whether the plugin's process is to be woken.
    let isHostAsleep: UnsafeMutablePointer<Atomic<UInt32>>
    /// Whether our process is to be woken.
    let isPlayerAsleep: UnsafeMutablePointer<Atomic<UInt32>>
    let stage: UnsafeMutablePointer<Atomic<UInt32>>
    /// Whether the plugin's process is to end.
    let isToEnd: UnsafeMutablePointer<Atomic<UInt32>>
    /// Whether the plugin's process is gone or given up; ours alone.
    let isLost: UnsafeMutablePointer<Atomic<UInt32>>
    /// Whether the plugin wrote beyond a buffer.
    let wroteBeyond: UnsafeMutablePointer<Atomic<UInt32>>
    let latencyFrames: UnsafeMutablePointer<Atomic<UInt32>>
    /// Up to which frame the plugin has played.
    let playedFrames: UnsafeMutablePointer<Atomic<UInt64>>
    /// How often something was asked of the plugin's state, and how often that was answered.
    let stateAsked: UnsafeMutablePointer<Atomic<UInt32>>
    let stateAnswered: UnsafeMutablePointer<Atomic<UInt32>>
    /// A `StateOrder`.
    let stateOrder: UnsafeMutablePointer<Atomic<UInt32>>
    /// Of the text behind this memory: the state that is asked or answered with, or the reason why there is none.
    let stateBytes: UnsafeMutablePointer<Atomic<UInt32>>
    let isStateFault: UnsafeMutablePointer<Atomic<UInt32>>
    /// Whether the plugin has a state beyond its control values.
    let keepsState: UnsafeMutablePointer<Atomic<UInt32>>
    let messages: UnsafeMutablePointer<ShareMessage>
    let reports: UnsafeMutablePointer<Float>
    /// What the plugin tells beside its sound, by its runs.
    let news: ShareNewsRing
    /// The ring of messages, and of the time of each run, on their way to the plugin.
    let messagesIn: UnsafeMutableRawPointer
    /// That of messages on their way back, tagged with their frames' lower half.
    let messagesOut: UnsafeMutableRawPointer
    private let samples: UnsafeMutablePointer<Float>
    let marks: UnsafeMutableRawPointer
    let reason: UnsafeMutableRawPointer
    let request: UnsafeMutableRawPointer

    /// Lays memory out.
    private init(_ memory: UnsafeMutableRawPointer, _ size: Size) {
        self.memory = memory
        self.size = size
        let words = (memory + 512).assumingMemoryBound(to: Atomic<UInt32>.self)
        // Each on a cache line of its own.
        (posted, taken, isHostAsleep) = (words, words + 16, words + 32)
        (isPlayerAsleep, stage, isToEnd) = (words + 48, words + 64, words + 80)
        (isLost, wroteBeyond, latencyFrames) = (words + 96, words + 112, words + 128)
        playedFrames = (memory + 512 + 64 * 9).assumingMemoryBound(to: Atomic<UInt64>.self)
        (stateAsked, stateAnswered, stateOrder) = (words + 160, words + 176, words + 192)
        (stateBytes, isStateFault, keepsState) = (words + 208, words + 224, words + 240)
        var offset = 2048
        func area(_ bytes: Int) -> UnsafeMutableRawPointer {
            defer { offset = (offset + bytes + 63) & ~63 }
            return memory + offset
        }
        marks = area(Self.markCount * CrashMark.bytes)
        reason = area(Self.reasonBytes)
        request = area(size.requestBytes)
        messages = area(Int(Self.messageCapacity) * MemoryLayout<ShareMessage>.stride)
            .assumingMemoryBound(to: ShareMessage.self)
        reports = area(size.reportCount * 4).assumingMemoryBound(to: Float.self)
        news = ShareNewsRing(area(ShareNewsRing.bytes))
        messagesIn = area(MessageRing.memoryBytes(capacity: size.messageBytes))
        messagesOut = area(MessageRing.memoryBytes(capacity: size.messageBytes))
        let channels = size.inputCount + size.outputCount
        samples = area(channels * size.ringFrames * 4).assumingMemoryBound(to: Float.self)
        bytes = offset
    }

    /// Makes memory, all zero; nil where there is none.
    ///
    /// Its file descriptor goes to the body, and is closed after it.
    static func make<Result>(_ size: Size, _ start: (PluginShare, Int32) -> Result) -> Result? {
        // The places of the areas depend on the sizes alone.
        guard let origin = UnsafeMutableRawPointer(bitPattern: 4096) else { return nil }
        let bytes = PluginShare(origin, size).bytes
        let file = plugin_share_open(bytes)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard let memory = map(file, bytes) else { return nil }
        memory.bindMemory(to: Size.self, capacity: 1).initialize(to: size)
        return start(PluginShare(memory, size), file)
    }

    /// The memory behind a file descriptor that was inherited; nil where it is not such memory.
    static func inherited(_ file: Int32) -> PluginShare? {
        var status = stat()
        guard fstat(file, &status) == 0, Int(status.st_size) > 4096,
            let memory = map(file, Int(status.st_size))
        else { return nil }
        let size = memory.load(as: Size.self)
        let share = PluginShare(memory, size)
        return size.version == 2 && share.bytes == Int(status.st_size) ? share : nil
    }

    private static func map(_ file: Int32, _ bytes: Int) -> UnsafeMutableRawPointer? {
        // All of it at once, so that the audio thread meets no page fault.
        let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0)
        return memory == MAP_FAILED ? nil : memory
    }

    /// Gives the memory back to the system.
    func unmap() { munmap(memory, bytes) }

    /// Whether a message and so many others fit.
    @_noLocks
    func hasRoom(leaving room: UInt32) -> Bool {
        let waiting =
            posted.pointee.load(ordering: .relaxed) &- taken.pointee.load(ordering: .acquiring)
        return waiting &+ room < Self.messageCapacity
    }

    /// Puts a message in; false where it would not leave room for so many others.
    @_noLocks
    func post(_ message: ShareMessage, leaving room: UInt32) -> Bool {
        guard hasRoom(leaving: room) else { return false }
        let place = posted.pointee.load(ordering: .relaxed)
        messages[Int(place & (Self.messageCapacity - 1))] = message
        posted.pointee.store(place &+ 1, ordering: .sequentiallyConsistent)
        return true
    }

    /// The ring of an input, or behind the inputs of an output.
    @_noLocks
    private func ring(_ channel: Int) -> UnsafeMutablePointer<Float> {
        samples + channel * size.ringFrames
    }

    /// Puts frames into an input's ring.
    @_noLocks
    func write(_ channel: Int, at frame: Int, _ from: UnsafePointer<Float>, _ count: Int) {
        let start = frame & (size.ringFrames - 1)
        let head = min(count, size.ringFrames - start)
        rt_copy(ring(channel) + start, from, Int64(head))
        rt_copy(ring(channel), from + head, Int64(count - head))
    }

    /// Takes frames out of an input's ring, or behind the inputs of an output's.
    @_noLocks
    func read(_ channel: Int, at frame: Int, _ into: UnsafeMutablePointer<Float>, _ count: Int) {
        let start = frame & (size.ringFrames - 1)
        let head = min(count, size.ringFrames - start)
        rt_copy(into, ring(channel) + start, Int64(head))
        rt_copy(into + head, ring(channel), Int64(count - head))
    }
}
