internal import CRealtime
internal import Platform
internal import Processing
internal import Realtime

/// A run of consecutive frames.
struct Span: BitwiseCopyable {
    /// The first frame of the first channel.
    var samples: UnsafePointer<Float>
    /// The distance between two channels, in samples.
    var stride: Int
    var frameCount: Int
}

/// The pages that the audio thread has and has requested; only it assigns pages to slots.
struct PageCache: ~Copyable {
    struct Slot: BitwiseCopyable {
        var item: Int32 = -1
        var page: Int32 = 0
        var isRequested = false
        /// The number of the last plan that needed the page.
        var plan: UInt32 = 0
    }

    struct WantedPage: BitwiseCopyable {
        var item: Int32
        var page: Int32
    }

    let channels: Int
    let slotCount: Int
    // SAFETY: the player keeps the reader alive, which owns the pages; the playlist that owns this
    // cache sets the entries with each of its tables.
    let pages: UnsafeMutablePointer<Float>
    let slots: Buffer<Slot>
    let wantedPages: Buffer<WantedPage>
    private var wantedPageCount = 0
    var plan: UInt32 = 0
    private var requestedCount = 0
    let requests: RingProducer<PageRequest>
    let replies: RingConsumer<PageReply>
    /// The items; a reply can change their lengths.
    var items: UnsafeMutablePointer<PlaylistTable.Entry>
    let reader: UnsafeMutableRawPointer
    // SAFETY: the processor keeps the log alive.
    let arrivals: UnsafeMutablePointer<ArrivalNotes>
    private let wakeup: Semaphore.Signaller
    let isLive: Bool
    private var hasNewRequests = false
    /// Whether something has changed since the last plan.
    var isDue = true
    /// The number of available pages in the last plan, and the number of all its pages.
    var presentCount = 0
    var wantedCount = 0

    /// The largest number of open requests; more would delay the right page after a seek.
    private static var maximumRequests: Int { @_noLocks get { 3 } }

    /// Creates an empty cache.
    init(
        _ reader: PageReader, items: UnsafeMutablePointer<PlaylistTable.Entry>,
        arrivals: UnsafeMutablePointer<ArrivalNotes>, channels: Int, isLive: Bool
    ) {
        self.items = items
        self.arrivals = arrivals
        self.channels = channels
        self.isLive = isLive
        slotCount = reader.slotCount
        pages = reader.pages
        requests = reader.requestProducer
        replies = reader.replyConsumer
        self.reader = Unmanaged.passUnretained(reader).toOpaque()
        wakeup = reader.wakeup.signaller
        slots = Buffer(count: max(1, slotCount), repeating: Slot())
        wantedPages = Buffer(count: max(1, slotCount), repeating: WantedPage(item: -1, page: 0))
    }

    /// Returns the consecutive frames of an item from `frame` on; `nil` if they are not available.
    ///
    /// Offline, the cache reads missing pages immediately.
    @_noLocks
    mutating func span(item: Int, frame: Int) -> Span? {
        let page = frame / PageLength.frames
        var index = find(item, page)
        if index < 0 || slots[index].isRequested {
            guard !isLive else { return nil }
            index = fetch(item, page)
            if index < 0 { return nil }
        }
        let offset = frame - page * PageLength.frames
        return Span(
            samples: UnsafePointer(pages) + index * channels * PageLength.frames + offset,
            stride: PageLength.frames, frameCount: PageLength.frames - offset)
    }

    @_noLocks
    func find(_ item: Int, _ page: Int) -> Int {
        for index in 0..<slotCount
        where slots[index].page == Int32(page) && slots[index].item == Int32(item) {
            return index
        }
        return -1
    }

    /// Applies the replies of the reader.
    @_noLocks
    mutating func receive() {
        if arrivals.pointee.isRepeating { repeatArrivals() }
        while let reply = replies.pop() {
            slots[Int(reply.slot)].isRequested = false
            if reply.frameCount < 0 { slots[Int(reply.slot)].item = -1 }
            requestedCount -= 1
            isDue = true
            note(reply)
            arrivals.pointee.note(kind(of: reply), reply.frameCount)
        }
    }

    @_noLocks
    private func kind(of reply: PageReply) -> ArrivalNotes.Kind {
        guard items[Int(reply.item)].sound.isStream else { return .page }
        return reply.isLast ? .lastStreamPage : .streamPage
    }

    /// Has the pages read that arrived in this turn when it was played.
    @_noLocks
    private func repeatArrivals() {
        while true {
            if let frames = arrivals.pointee.pop(.page) {
                answer(frames, isLast: false)
            } else if let frames = arrivals.pointee.pop(.streamPage) {
                answer(frames, isLast: false)
            } else if let frames = arrivals.pointee.pop(.lastStreamPage) {
                answer(frames, isLast: true)
            } else {
                return
            }
        }
    }

    @_noLocks
    private func answer(_ frames: Int32, isLast: Bool) {
        guard !arrivals.pointee.hasCaughtUp else { return }
        var page = RepeatedPage(reader: reader, frameCount: frames, isLast: isLast)
        withUnsafeMutablePointer(to: &page) { rt_act(repeatPage, $0) }
    }

    /// Applies the length of a stream that its source has learned.
    @_noLocks
    func note(_ reply: PageReply) {
        let item = items + Int(reply.item)
        guard item.pointee.sound.isStream else { return }
        item.pointee.sound.knownFrames = reply.knownFrames
        if reply.isLast {
            item.pointee.sound.frameCount =
                Int(reply.page) * PageLength.frames + Int(reply.frameCount)
        }
    }

}

// The requests of the audio thread to the reader.
extension PageCache {
    /// Starts a plan of the pages that are needed soon; the most urgent ones are added first.
    @_noLocks
    mutating func beginPlan() {
        plan &+= 1
        wantedPageCount = 0
        wantedCount = 0
        presentCount = 0
        isDue = false
    }

    /// Adds a page to the plan; returns `false` if the plan is full.
    @_noLocks
    mutating func want(item: Int, page: Int) -> Bool {
        guard wantedCount < slotCount else { return false }
        let index = find(item, page)
        if index >= 0 {
            guard slots[index].plan != plan else { return true }
            slots[index].plan = plan
            if !slots[index].isRequested { presentCount += 1 }
        } else {
            for wanted in 0..<wantedPageCount
            where wantedPages[wanted].page == Int32(page) && wantedPages[wanted].item == Int32(item)
            {
                return true
            }
            wantedPages[wantedPageCount] = WantedPage(item: Int32(item), page: Int32(page))
            wantedPageCount += 1
        }
        wantedCount += 1
        return true
    }

    /// Requests the missing pages of the plan into slots that the plan does not need.
    @_noLocks
    mutating func endPlan() {
        var index = 0
        for wanted in 0..<wantedPageCount {
            guard requestedCount < Self.maximumRequests else { break }
            while index < slotCount, slots[index].plan == plan || slots[index].isRequested {
                index += 1
            }
            guard index < slotCount else { break }
            ask(Int(wantedPages[wanted].item), Int(wantedPages[wanted].page), index)
            slots[index].plan = plan
        }
    }

    @_noLocks
    mutating func ask(_ item: Int, _ page: Int, _ index: Int) {
        let request = PageRequest(item: Int32(item), page: Int32(page), slot: Int32(index))
        guard requests.push(request) else { return }
        slots[index].item = Int32(item)
        slots[index].page = Int32(page)
        slots[index].isRequested = true
        requestedCount += 1
        hasNewRequests = true
    }

    /// Sends the reader a report; returns `false` if the ring is full.
    @_noLocks @discardableResult
    mutating func send(_ report: PageRequest) -> Bool {
        guard requests.push(report) else { return false }
        hasNewRequests = true
        return true
    }

    /// Forgets all pages of a removed item.
    ///
    /// - Returns: `false` if a page is requested and has not arrived yet.
    @_noLocks
    mutating func forget(item: Int) -> Bool {
        var hasForgotten = true
        for index in 0..<slotCount where slots[index].item == Int32(item) {
            if slots[index].isRequested {
                hasForgotten = false
            } else {
                slots[index].item = -1
            }
        }
        return hasForgotten
    }

    /// Wakes the reader if there are new requests.
    @_noLocks
    mutating func wake() {
        guard hasNewRequests else { return }
        hasNewRequests = false
        if arrivals.pointee.isRepeating {
            if arrivals.pointee.hasCaughtUp { serve() } else { rt_act(collectRequests, reader) }
        } else if isLive {
            wakeup.signal()
        } else {
            serve()
        }
    }

    /// Reads a page immediately into the slot whose page has been unused for the longest time.
    @_noLocks
    mutating func fetch(_ item: Int, _ page: Int) -> Int {
        serve()
        let there = find(item, page)
        if there >= 0 { return there }
        var oldest = 0
        for index in 0..<slotCount
        where plan &- slots[index].plan > plan &- slots[oldest].plan { oldest = index }
        plan &+= 1
        ask(item, page, oldest)
        slots[oldest].plan = plan
        serve()
        return find(item, page)
    }

    /// Serves all requests on this thread; used offline and before playback starts.
    @_noLocks
    mutating func serve() {
        hasNewRequests = false
        rt_act(servePages, reader)
        receive()
    }
}
