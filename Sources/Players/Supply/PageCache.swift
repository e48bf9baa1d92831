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
    private struct Slot: BitwiseCopyable {
        var item: Int32 = -1
        var page: Int32 = 0
        var isAsked = false
        /// The last plan that wanted it.
        var plan: UInt32 = 0
    }

    private struct Wish: BitwiseCopyable {
        var item: Int32
        var page: Int32
    }

    private let channels: Int
    private let slotCount: Int
    // SAFETY: the reader, which the player holds, owns the pages; the rest lives until `deallocate`.
    private let pages: UnsafeMutablePointer<Float>
    private let slots: UnsafeMutablePointer<Slot>
    private let wishes: UnsafeMutablePointer<Wish>
    private var wishCount = 0
    private var plan: UInt32 = 0
    private var askedCount = 0
    private let requests: RingProducer<PageRequest>
    private let replies: RingConsumer<PageReply>
    /// The items, whose lengths replies may tell.
    private let items: UnsafeMutablePointer<ReelItem>
    private let reader: UnsafeMutableRawPointer
    private let bell: UnsafeMutableRawPointer
    private let isLive: Bool
    private var hasAsked = false
    /// Whether something is new since the last plan.
    var isDue = true
    /// How many pages of the last plan were there, and how many it wanted.
    private(set) var presentCount = 0
    private(set) var wantedCount = 0

    /// Pages that are asked for at once: more would only be late where the player goes elsewhere.
    private static var mostAsked: Int { @_noLocks get { 3 } }

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
    private func find(_ item: Int, _ page: Int) -> Int {
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
    private func note(_ reply: PageReply) {
        let item = items + Int(reply.item)
        guard item.pointee.isStream else { return }
        item.pointee.knownFrames = reply.knownFrames
        if reply.isLast {
            item.pointee.frameCount =
                Int(reply.page) * PageLength.frames + Int(reply.frameCount)
        }
    }

    // MARK: Asking

    /// Begins a list of what will be wanted soon, the most urgent first.
    @_noLocks
    mutating func beginPlan() {
        plan &+= 1
        wishCount = 0
        wantedCount = 0
        presentCount = 0
        isDue = false
    }

    /// Adds a page to the list; false where no more fit.
    @_noLocks
    mutating func want(item: Int, page: Int) -> Bool {
        guard wantedCount < slotCount else { return false }
        let place = find(item, page)
        if place >= 0 {
            guard slots[place].plan != plan else { return true }
            slots[place].plan = plan
            if !slots[place].isAsked { presentCount += 1 }
        } else {
            for wish in 0..<wishCount
            where wishes[wish].page == Int32(page) && wishes[wish].item == Int32(item) {
                return true
            }
            wishes[wishCount] = Wish(item: Int32(item), page: Int32(page))
            wishCount += 1
        }
        wantedCount += 1
        return true
    }

    /// Asks for what is not there, in the place of what is not wanted.
    @_noLocks
    mutating func endPlan() {
        var place = 0
        for wish in 0..<wishCount {
            guard askedCount < Self.mostAsked else { break }
            while place < slotCount, slots[place].plan == plan || slots[place].isAsked { place += 1 }
            guard place < slotCount else { break }
            ask(Int(wishes[wish].item), Int(wishes[wish].page), place)
            slots[place].plan = plan
        }
    }

    @_noLocks
    private mutating func ask(_ item: Int, _ page: Int, _ place: Int) {
        let request = PageRequest(item: Int32(item), page: Int32(page), slot: Int32(place))
        guard requests.push(request) else { return }
        slots[place].item = Int32(item)
        slots[place].page = Int32(page)
        slots[place].isAsked = true
        askedCount += 1
        hasAsked = true
    }

    /// Tells the reader something beside.
    @_noLocks
    mutating func tell(_ word: PageRequest) {
        if requests.push(word) { hasAsked = true }
    }

    /// Wakes the reader where something was asked; otherwise nothing.
    @_noLocks
    mutating func wake() {
        guard hasAsked else { return }
        hasAsked = false
        if isLive { rt_ring(bell) } else { serve() }
    }

    /// Reads a page now, in the place of the one that was wanted longest ago.
    @_noLocks
    private mutating func fetch(_ item: Int, _ page: Int) -> Int {
        serve()
        let there = find(item, page)
        if there >= 0 { return there }
        var oldest = 0
        for place in 0..<slotCount
        where plan &- slots[place].plan > plan &- slots[oldest].plan { oldest = place }
        plan &+= 1
        ask(item, page, oldest)
        slots[oldest].plan = plan
        serve()
        return find(item, page)
    }

    /// Has all that was asked read on this thread: nobody waits for the sound, or the player does not play yet.
    @_noLocks
    mutating func serve() {
        hasAsked = false
        rt_act(servePages, reader)
        receive()
    }
}
