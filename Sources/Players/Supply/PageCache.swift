internal import CRealtime
internal import Realtime

/// Frames that lie one after the other.
struct Span: BitwiseCopyable {
    /// The first channel's first frame.
    var samples: UnsafePointer<Float>
    /// How far the channels are apart.
    var stride: Int
    var frameCount: Int
}

/// The pages that the audio thread has and has asked for; it alone decides which slot holds what.
///
/// It owns its memory without freeing it: whoever made it calls `deallocate`.
struct PageCache: BitwiseCopyable {
    struct Slot: BitwiseCopyable {
        var item: Int32 = -1
        var page: Int32 = 0
        var isAsked = false
        /// The last plan that wanted it.
        var plan: UInt32 = 0
    }

    struct Wish: BitwiseCopyable {
        var item: Int32
        var page: Int32
    }

    let channels: Int
    let slotCount: Int
    // SAFETY: the reader, which the player holds, owns the pages; the rest lives until `deallocate`.
    let pages: UnsafeMutablePointer<Float>
    let slots: UnsafeMutablePointer<Slot>
    let wishes: UnsafeMutablePointer<Wish>
    var wishCount = 0
    var plan: UInt32 = 0
    var askedCount = 0
    let requests: RingProducer<PageRequest>
    let replies: RingConsumer<PageReply>
    /// The items, whose lengths replies may tell.
    let items: UnsafeMutablePointer<ReelItem>
    let reader: UnsafeMutableRawPointer
    let bell: UnsafeMutableRawPointer
    let isLive: Bool
    var hasAsked = false
    /// Whether something is new since the last plan.
    var isDue = true
    /// How many pages of the last plan were there, and how many it wanted.
    var presentCount = 0
    var wantedCount = 0

    /// Pages that are asked for at once: more would only be late where the player goes elsewhere.
    static var mostAsked: Int { @_noLocks get { 3 } }

    /// A cache that holds nothing.
    init(
        _ reader: PageReader, items: UnsafeMutablePointer<ReelItem>, channels: Int, isLive: Bool
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

    /// Frames of an item from one on, as far as they lie one after the other; nil where they are not there.
    ///
    /// Where nobody waits for the sound, they are read now.
    @_noLocks
    mutating func span(item: Int, frame: Int) -> Span? {
        let page = frame / PageLength.frames
        var place = find(item, page)
        if place < 0 || slots[place].isAsked {
            guard !isLive else { return nil }
            place = fetch(item, page)
            if place < 0 { return nil }
        }
        let offset = frame - page * PageLength.frames
        return Span(
            samples: UnsafePointer(pages) + place * channels * PageLength.frames + offset,
            stride: PageLength.frames, frameCount: PageLength.frames - offset)
    }

    @_noLocks
    func find(_ item: Int, _ page: Int) -> Int {
        for place in 0..<slotCount
        where slots[place].page == Int32(page) && slots[place].item == Int32(item) {
            return place
        }
        return -1
    }

    /// Takes in what was read.
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

    /// Takes in what the source of an item only knows now.
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
