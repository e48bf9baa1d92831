internal import CLinux
internal import CRealtime
internal import Glibc
internal import Processing
internal import Realtime
internal import SoundFiles
internal import Synchronization

/// Reads pages of a player's items for the audio thread: live on a thread of its own, else at once.
final class PageReader: @unchecked Sendable {
    // SAFETY: one thread at a time serves: the one that makes the player until `start`, then its own, and offline the one
    // that renders.
    private let items: [PageItem]
    private let channels: Int
    /// Slot by slot, and channel by channel in each.
    let pages: UnsafeMutablePointer<Float>
    let slotCount: Int
    private let requestRing: Ring<PageRequest>
    private let replyRing: Ring<PageReply>
    private let requests: RingConsumer<PageRequest>
    private let replies: RingProducer<PageReply>
    private let incidents: IncidentLog
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
    init(items: [PageItem], channels: Int, slotCount: Int, incidents: IncidentLog) {
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

    /// Does all that is asked.
    func serve() {
        while let request = requests.pop() {
            switch request.item {
            case -1: incidents.add(.ended)
            case -2: incidents.add(.starved(frames: Int(request.page)))
            default: read(request)
            }
        }
    }

    private func read(_ request: PageRequest) {
        let place = pages + Int(request.slot) * channels * PageLength.frames
        let item = items[Int(request.item)]
        let count = item.read(
            page: Int(request.page), channels: channels, into: place, incidents: incidents)
        let reply = PageReply(
            item: request.item, page: request.page, slot: request.slot, frameCount: Int32(count))
        // As many fit as there are slots.
        _ = replies.push(reply)
        closeOthers(than: Int(request.item))
    }

    /// Keeps files open of the items that are played now alone.
    private func closeOthers(than item: Int) {
        for place in items.indices where abs(place - item) > 2 { items[place].close() }
    }

    // MARK: Its own thread

    /// Serves on a thread of its own from here on.
    func start() {
        var started = pthread_t()
        let argument = Unmanaged.passRetained(self)
        let status = pthread_create(
            &started, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<PageReader>.fromOpaque(argument).takeRetainedValue().serveUntilEnd()
                return nil
            }, argument.toOpaque())
        guard status == 0 else { return argument.release() }
        pthread_detach(started)
        hasThread = true
    }

    /// Lets the thread go once it has done what it is at, which is not waited for: a disk may hang.
    func end() {
        guard hasThread else { return }
        isEnding.store(true, ordering: .releasing)
        sem_post(bell)
    }

    private func serveUntilEnd() {
        linux_name_thread("player")
        while true {
            while sem_wait(bell) != 0 {}
            if isEnding.load(ordering: .acquiring) { return }
            serve()
        }
    }
}

/// Serves for a run that waits for it.
func servePages(_ reader: UnsafeMutableRawPointer) {
    // SAFETY: the player that holds the address holds the reader.
    Unmanaged<PageReader>.fromOpaque(reader).takeUnretainedValue().serve()
}
