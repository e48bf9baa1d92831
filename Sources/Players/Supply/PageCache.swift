internal import CRealtime
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
///
/// The value does not free its memory: its owner calls `deallocate`.
struct PageCache: BitwiseCopyable {
    struct Slot: BitwiseCopyable {
        var item: Int32 = -1
        var page: Int32 = 0
        var isAsked = false
        /// The number of the last plan that needed the page.
        var plan: UInt32 = 0
    }

    struct Wish: BitwiseCopyable {
        var item: Int32
        var page: Int32
    }

    let channels: Int
    let slotCount: Int
    // SAFETY: the player keeps the reader alive, which owns the pages; the other memory lives until
    // `deallocate`.
    let pages: UnsafeMutablePointer<Float>
    let slots: UnsafeMutablePointer<Slot>
    let wishes: UnsafeMutablePointer<Wish>
    var wishCount = 0
    var plan: UInt32 = 0
    var askedCount = 0
    let requests: RingProducer<PageRequest>
    let replies: RingConsumer<PageReply>
    /// The items; a reply can change their lengths.
    let items: UnsafeMutablePointer<PlaylistSound>
    let reader: UnsafeMutableRawPointer
    let bell: UnsafeMutableRawPointer
    let isLive: Bool
    var hasAsked = false
    /// Whether something has changed since the last plan.
    var isDue = true
    /// The number of available pages in the last plan, and the number of all its pages.
    var presentCount = 0
    var wantedCount = 0

    /// The largest number of open requests; more would delay the right page after a seek.
    static var mostAsked: Int { @_noLocks get { 3 } }

    /// Creates an empty cache.
    init(
        _ reader: PageReader, items: UnsafeMutablePointer<PlaylistSound>, channels: Int,
        isLive: Bool
    ) {
        self.items = items
        self.channels = channels
        self.isLive = isLive
        slotCount = reader.slotCount
        pages = reader.pages
        requests = reader.asking
        replies = reader.answers
        self.reader = Unmanaged.passUnretained(reader).toOpaque()
        bell = UnsafeMutableRawPointer(reader.bell)
        slots = .allocate(capacity: max(1, slotCount))
        slots.initialize(repeating: Slot(), count: max(1, slotCount))
        wishes = .allocate(capacity: max(1, slotCount))
        wishes.initialize(repeating: Wish(item: -1, page: 0), count: max(1, slotCount))
    }

    func deallocate() {
        slots.deallocate()
        wishes.deallocate()
    }

    /// Returns the consecutive frames of an item from `frame` on; `nil` if they are not available.
    ///
    /// Offline, the cache reads missing pages immediately.
    @_noLocks
    mutating func span(item: Int, frame: Int) -> Span? {
        let page = frame / PageLength.frames
        var index = find(item, page)
        if index < 0 || slots[index].isAsked {
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
        while let reply = replies.pop() {
            slots[Int(reply.slot)].isAsked = false
            if reply.frameCount < 0 { slots[Int(reply.slot)].item = -1 }
            askedCount -= 1
            isDue = true
            note(reply)
        }
    }

    /// Applies the length of a stream that its source has learned.
    @_noLocks
    func note(_ reply: PageReply) {
        let item = items + Int(reply.item)
        guard item.pointee.isStream else { return }
        item.pointee.knownFrames = reply.knownFrames
        if reply.isLast {
            item.pointee.frameCount =
                Int(reply.page) * PageLength.frames + Int(reply.frameCount)
        }
    }

}
