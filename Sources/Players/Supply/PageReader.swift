internal import CRealtime
internal import Glibc
internal import Processing
internal import Realtime
internal import SoundFiles
internal import Synchronization
internal import Threads

/// Reads pages of a player's items for the audio thread: live on a thread of its own, else at once.
final class PageReader: @unchecked Sendable {
    // SAFETY: one thread at a time serves: the one that makes the player until `start`, then its own, and offline the
    // one that renders.
    private let items: [any PageSource]
    private let channels: Int
    /// Slot by slot, and channel by channel in each.
    let pages: UnsafeMutablePointer<Float>
    let slotCount: Int
    private let requestRing: Ring<PageRequest>
    private let replyRing: Ring<PageReply>
    private let requests: RingConsumer<PageRequest>
    private let replies: RingProducer<PageReply>
    private let incidents: IncidentLog
    /// What was asked and is not there yet, in its order.
    private var waiting: [PageRequest] = []
    /// Posted by the audio thread.
    let bell: UnsafeMutablePointer<sem_t>
    private let isEnding = Atomic<Bool>(false)
    private var hasThread = false

    /// A reader of a player's items.
    ///
    /// - Parameters:
    ///   - items: In the order of the file.
    ///   - channels: Of the player.
    ///   - slotCount: How many pages are held.
    ///   - incidents: Where faults are told.
    init(items: [any PageSource], channels: Int, slotCount: Int, incidents: IncidentLog) {
        self.items = items
        self.channels = channels
        self.slotCount = slotCount
        self.incidents = incidents
        let sampleCount = max(1, slotCount * channels * PageLength.frames)
        pages = .allocate(capacity: sampleCount)
        pages.initialize(repeating: 0, count: sampleCount)
        requestRing = Ring(capacity: 64)
        replyRing = Ring(capacity: max(64, slotCount))
        requests = requestRing.consumer
        replies = replyRing.producer
        bell = .allocate(capacity: 1)
        bell.initialize(to: sem_t())
        sem_init(bell, 0, 0)
    }

    deinit {
        sem_destroy(bell)
        bell.deallocate()
        pages.deallocate()
    }

    /// The audio thread's ends.
    var asking: RingProducer<PageRequest> { requestRing.producer }
    var answers: RingConsumer<PageReply> { replyRing.consumer }

    /// Does what is asked, as far as that does not wait for the network.
    ///
    /// - Returns: Whether something is left to be done.
    @discardableResult
    func serve() -> Bool {
        while let request = requests.pop() {
            switch request.item {
            case -1: incidents.add(.ended)
            case -2: incidents.add(.starved(frames: Int(request.page)))
            default: put(request)
            }
        }
        while let request = waiting.first {
            guard read(request) else { return true }
            waiting.removeFirst()
        }
        return false
    }

    /// Does all that is asked, however long it takes.
    func serveAll() {
        while serve() { usleep(1000) }
    }

    /// Puts a request behind those that wait; where it is for another place of the same stream, those are void.
    private func put(_ request: PageRequest) {
        if let last = waiting.last, last.item == request.item, last.page + 1 != request.page {
            for old in waiting { answer(old, frameCount: -1, isLast: false) }
            waiting.removeAll()
        }
        waiting.append(request)
    }

    /// Reads a page; false where it is not all there yet.
    private func read(_ request: PageRequest) -> Bool {
        let place = pages + Int(request.slot) * channels * PageLength.frames
        let item = items[Int(request.item)]
        let read = item.read(
            page: Int(request.page), channels: channels, into: place, incidents: incidents)
        switch read {
        case .waiting: return false
        case .frames(let count): answer(request, frameCount: count, isLast: false)
        case .last(let count): answer(request, frameCount: count, isLast: true)
        }
        closeOthers(than: Int(request.item))
        return true
    }

    private func answer(_ request: PageRequest, frameCount: Int, isLast: Bool) {
        let known = items[Int(request.item)].knownFrames
        // As many fit as there are slots.
        _ = replies.push(
            PageReply(
                item: request.item, page: request.page, slot: request.slot,
                frameCount: Int32(frameCount), isLast: isLast, knownFrames: known))
    }

    /// Keeps files open of the items that are played now alone.
    private func closeOthers(than item: Int) {
        for place in items.indices where abs(place - item) > 2 { items[place].close() }
    }

    // MARK: Its own thread

    /// Serves on a thread of its own from here on.
    func start() {
        hasThread = OwnThread.start(name: "player") { self.serveUntilEnd() }
    }

    /// Lets the thread go once it has done what it is at, which is not waited for: a disk may hang.
    func end() {
        guard hasThread else { return }
        isEnding.store(true, ordering: .releasing)
        sem_post(bell)
    }

    private func serveUntilEnd() {
        var isWaiting = true
        while true {
            if isWaiting {
                rt_wait_for_ring(bell, UInt64((MonotonicTime.nowSeconds + 0.005) * 1e9))
            } else {
                while sem_wait(bell) != 0 {}
            }
            if isEnding.load(ordering: .acquiring) { return }
            isWaiting = serve()
        }
    }
}

/// Serves for a run that waits for it.
func servePages(_ reader: UnsafeMutableRawPointer) {
    // SAFETY: the player that holds the address holds the reader.
    Unmanaged<PageReader>.fromOpaque(reader).takeUnretainedValue().serveAll()
}
