internal import CRealtime
internal import DSP
internal import Glibc
internal import Processing
internal import Realtime
internal import SoundFiles
internal import Synchronization
internal import Platform

/// Reads the pages of a player for the audio thread: live on its own thread, offline immediately.
final class PageReader: @unchecked Sendable {
    // SAFETY: only one thread at a time serves requests: until `start`, the thread that makes the
    // player; after it, the reader's own thread; offline, the rendering thread.

    /// The time between two attempts to read a page that is not complete yet, in ns.
    private static let retryNanoseconds: UInt64 = 5_000_000

    private let files: PlaylistFiles
    private let channels: Int
    /// Whether a replay decides when each request is answered.
    private let isReplay: Bool
    /// The pages, slot by slot, with the channels of a page one after the other.
    let pages: UnsafeMutablePointer<Float>
    let slotCount: Int
    private let requestRing: Ring<PageRequest>
    private let replyRing: Ring<PageReply>
    private let requests: RingConsumer<PageRequest>
    private let replies: RingProducer<PageReply>
    private let incidents: IncidentLog
    /// The requests that are not answered yet, in order.
    private var waiting: [PageRequest] = []
    /// Signalled by the audio thread when there are requests.
    let wakeup = Semaphore()
    private let isEnding = Atomic<Bool>(false)
    private var hasThread = false

    /// Creates a reader of a player's files.
    ///
    /// - Parameters:
    ///   - files: The files of the player.
    ///   - channels: The channels of the player.
    ///   - isReplay: Whether a replay decides when each request is answered.
    ///   - slotCount: The number of pages to hold.
    ///   - incidents: Receives errors and other events.
    /// - Throws: `PluginError` if there is not enough memory for the pages.
    init(
        _ files: PlaylistFiles, channels: Int, isReplay: Bool = false, slotCount: Int,
        incidents: IncidentLog
    ) throws(PluginError) {
        let count = Self.sampleCount(channels: channels, slotCount: slotCount)
        guard let pages = SampleMemory.zeros(count) else {
            throw .noMemory(forBytes: count.multipliedClamped(by: MemoryLayout<Float>.stride))
        }
        self.pages = pages
        self.files = files
        self.channels = channels
        self.slotCount = slotCount
        self.isReplay = isReplay
        self.incidents = incidents
        requestRing = Ring(capacity: 64)
        replyRing = Ring(capacity: max(64, slotCount))
        requests = requestRing.consumer
        replies = replyRing.producer
    }

    deinit { SampleMemory.free(pages) }

    /// Returns the number of samples in `slotCount` pages.
    static func sampleCount(channels: Int, slotCount: Int) -> Int {
        slotCount.multipliedClamped(by: channels).multipliedClamped(by: PageLength.frames)
    }

    /// The ends of the queues that belong to the audio thread.
    var requestProducer: RingProducer<PageRequest> { requestRing.producer }
    var replyConsumer: RingConsumer<PageReply> { replyRing.consumer }

    /// Serves the requests as far as possible without waiting for the network.
    ///
    /// - Returns: Whether requests are left.
    @discardableResult
    func serve() -> Bool {
        collect()
        while let request = waiting.first {
            guard read(request) else { return true }
            waiting.removeFirst()
        }
        return false
    }

    /// Receives the requests, without an answer to those for pages.
    fileprivate func collect() {
        while let request = requests.pop() {
            switch request.item {
            case -1: incidents.add(.ended)
            case -2: incidents.add(.starved(frames: Int(request.page)))
            case -3: files.release(Int(request.page), version: Int(request.slot))
            default: put(request)
            }
        }
    }

    /// Serves all requests, however long that takes.
    func serveAll() {
        while serve() { usleep(1000) }
    }

    /// Adds a request; cancels the pending ones if it jumps to another position of the same item.
    private func put(_ request: PageRequest) {
        // A replay repeats the answers, also to requests that were cancelled.
        if !isReplay, let last = waiting.last, last.item == request.item,
            last.page + 1 != request.page
        {
            for old in waiting { answer(old, frameCount: -1, isLast: false) }
            waiting.removeAll()
        }
        waiting.append(request)
    }

    /// Reads a page; returns `false` if it is not complete yet.
    private func read(_ request: PageRequest) -> Bool {
        let slot = pages + Int(request.slot) * channels * PageLength.frames
        // The audio thread releases an item after the answers to its requests.
        guard let item = files.source(of: Int(request.item)) else {
            answer(request, frameCount: -1, isLast: false)
            return true
        }
        let read = item.read(
            page: Int(request.page), channels: channels, into: slot, incidents: incidents)
        switch read {
        case .waiting: return false
        case .frames(let count): answer(request, frameCount: count, isLast: false)
        case .last(let count): answer(request, frameCount: count, isLast: true)
        }
        closeOthers(than: Int(request.item))
        return true
    }

    private func answer(_ request: PageRequest, frameCount: Int, isLast: Bool) {
        let known = files.source(of: Int(request.item))?.knownFrames ?? 0
        // The ring has room for one reply per slot.
        _ = replies.push(
            PageReply(
                item: request.item, page: request.page, slot: request.slot,
                frameCount: Int32(frameCount), isLast: isLast, knownFrames: known))
    }

    /// Closes the files of items far from the current one in the order of the pipeline file.
    private func closeOthers(than item: Int) {
        for source in files.sourcesFar(from: item) { source.close() }
    }

    /// Answers the oldest request in a replay as it was answered before; a stream is silent.
    ///
    /// - Parameters:
    ///   - frameCount: The number of frames that were read; negative if the request was cancelled.
    ///   - isLast: Whether a stream ended in the page.
    fileprivate func repeatAnswer(_ frameCount: Int, isLast: Bool) {
        collect()
        guard !waiting.isEmpty else { return }
        let request = waiting.removeFirst()
        guard frameCount >= 0, let item = files.source(of: Int(request.item)) else {
            return answer(request, frameCount: -1, isLast: false)
        }
        let count = min(frameCount, PageLength.frames)
        let slot = pages + Int(request.slot) * channels * PageLength.frames
        if item is StreamItem {
            rt_clear(slot, Int64(channels * PageLength.frames))
        } else {
            _ = item.read(
                page: Int(request.page), channels: channels, into: slot, incidents: incidents)
            // A disk that has failed delivered fewer frames.
            for channel in 0..<channels {
                rt_clear(
                    slot + channel * PageLength.frames + count, Int64(PageLength.frames - count))
            }
        }
        answer(request, frameCount: count, isLast: isLast)
    }

    // MARK: The reader's thread

    /// Starts to serve requests on its own thread.
    func start() {
        hasThread = OwnThread.start(name: "player") { self.serveUntilEnd() }
    }

    /// Asks the thread to end after its current read, and does not wait for it: a disk may hang.
    func end() {
        guard hasThread else { return }
        isEnding.store(true, ordering: .releasing)
        wakeup.signal()
    }

    private func serveUntilEnd() {
        var isWaiting = true
        while true {
            if isWaiting {
                wakeup.wait(untilNanoseconds: rt_nanoseconds() + Self.retryNanoseconds)
            } else {
                wakeup.wait()
            }
            if isEnding.load(ordering: .acquiring) { return }
            isWaiting = serve()
        }
    }
}

/// Serves the requests of a rendering thread, which waits for them.
func servePages(_ reader: UnsafeMutableRawPointer) {
    // SAFETY: the player that passes the address keeps the reader alive.
    Unmanaged<PageReader>.fromOpaque(reader).takeUnretainedValue().serveAll()
}

/// A page that a replay has read, and the reader for it.
struct RepeatedPage: BitwiseCopyable {
    let reader: UnsafeMutableRawPointer
    let frameCount: Int32
    let isLast: Bool
}

/// Reads the page of the oldest request in a replay, which waits for it.
func repeatPage(_ page: UnsafeMutableRawPointer) {
    // SAFETY: the player that passes the page keeps the reader alive.
    let page = page.load(as: RepeatedPage.self)
    Unmanaged<PageReader>.fromOpaque(page.reader).takeUnretainedValue()
        .repeatAnswer(Int(page.frameCount), isLast: page.isLast)
}

/// Receives the requests of a replay, so that there is always room for more.
func collectRequests(_ reader: UnsafeMutableRawPointer) {
    // SAFETY: as above.
    Unmanaged<PageReader>.fromOpaque(reader).takeUnretainedValue().collect()
}
