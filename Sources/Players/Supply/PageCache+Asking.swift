internal import CRealtime
internal import Realtime

// The requests of the audio thread to the reader.
extension PageCache {
    /// Starts a plan of the pages that are needed soon; the most urgent ones are added first.
    @_noLocks
    mutating func beginPlan() {
        plan &+= 1
        wishCount = 0
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
            if !slots[index].isAsked { presentCount += 1 }
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

    /// Requests the missing pages of the plan into slots that the plan does not need.
    @_noLocks
    mutating func endPlan() {
        var index = 0
        for wish in 0..<wishCount {
            guard askedCount < Self.mostAsked else { break }
            while index < slotCount, slots[index].plan == plan || slots[index].isAsked {
                index += 1
            }
            guard index < slotCount else { break }
            ask(Int(wishes[wish].item), Int(wishes[wish].page), index)
            slots[index].plan = plan
        }
    }

    @_noLocks
    mutating func ask(_ item: Int, _ page: Int, _ index: Int) {
        let request = PageRequest(item: Int32(item), page: Int32(page), slot: Int32(index))
        guard requests.push(request) else { return }
        slots[index].item = Int32(item)
        slots[index].page = Int32(page)
        slots[index].isAsked = true
        askedCount += 1
        hasAsked = true
    }

    /// Sends the reader a report.
    @_noLocks
    mutating func send(_ word: PageRequest) {
        if requests.push(word) { hasAsked = true }
    }

    /// Wakes the reader if there are new requests.
    @_noLocks
    mutating func wake() {
        guard hasAsked else { return }
        hasAsked = false
        if isLive { rt_ring(bell) } else { serve() }
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
        hasAsked = false
        rt_act(servePages, reader)
        receive()
    }
}
