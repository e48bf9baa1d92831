internal import CRealtime
internal import Processing
internal import Realtime

/// The memory of a loop: layers for undo and redo, made of shared pages.
///
/// A layer is a table of pages. A layer that continues another one shares all its pages; a page is
/// copied when the newer layer is first written there. The layers form a line, from `oldest` to
/// `newest`, and a page belongs to consecutive layers. If no page is free, the oldest layers are
/// forgotten, so recording never fails.
///
/// All memory is allocated at the start. Each call of the audio thread is bounded by the number of
/// pages of a layer.
package struct LoopStore: ~Copyable {
    // SAFETY: `layer` and `table` mask the numbers of layers. A table has `pagesPerLayer` entries,
    // and an index is compared with that before each access. An entry is -1 or a page from `pages`;
    // -1 is never accessed as a page. The frame within a page is masked, and parts are below
    // `partsPerPage`.

    /// The largest number of layers, a power of two.
    static var layerCapacity: Int { @_noLocks get { 32 } }

    /// The number of frames before position 0: the sound that leads to the start of the loop.
    private let leadFrames: Int
    private let pagesPerLayer: Int
    private var pages: LoopPages
    private let tables: Buffer<Int32>
    private let layers: Buffer<LoopLayer>
    private var layersMade: UInt32 = 0

    /// The numbers of the lowest and the highest layer; no layer exists if `newest` is less.
    private(set) var oldest = 0
    private(set) var newest = -1
    /// Changes with each `clear`.
    private(set) var chain: UInt32 = 0
    /// The layer that plays, which is never forgotten.
    var current = 0
    /// The highest layer that is being recorded, which is never forgotten; 0 if no layer is being
    /// recorded.
    var recorded = 0
    /// The lowest layer that is being saved, which is never forgotten; `Int.max` if no layer is
    /// being saved.
    var saved = Int.max

    /// Creates an empty memory that takes ownership of samples.
    ///
    /// - Parameters:
    ///   - samples: Memory for `size.sampleCount` samples.
    ///   - size: The sizes.
    package init(_ samples: UnsafeMutablePointer<Float>, _ size: LoopStoreSize) {
        leadFrames = size.leadFrames
        pagesPerLayer = size.pagesPerLayer
        pages = LoopPages(samples, channelCount: size.channelCount, capacity: size.pageCount)
        tables = Buffer(count: Self.layerCapacity * size.pagesPerLayer, repeating: -1)
        layers = Buffer(count: Self.layerCapacity, repeating: LoopLayer())
    }

    /// The distance between the channels of a frame, in samples.
    var channelStride: Int { @_noLocks get { LoopPages.pageFrames } }

    /// The number of layers below the current one.
    var undoCount: Int { @_noLocks get { newest < oldest ? 0 : current - oldest } }
    /// The number of layers above the current one.
    var redoCount: Int { @_noLocks get { newest < oldest ? 0 : newest - current } }

    @_noLocks
    func layer(_ number: Int) -> UnsafeMutablePointer<LoopLayer> {
        layers.start + (number & (Self.layerCapacity - 1))
    }

    @_noLocks
    private func table(_ number: Int) -> UnsafeMutablePointer<Int32> {
        tables.start + (number & (Self.layerCapacity - 1)) * pagesPerLayer
    }

    // MARK: Samples

    /// Returns a sample of a layer; frames that were never written are silent.
    @_noLocks @inline(__always)
    func sample(_ number: Int, _ position: Int, _ channel: Int) -> Float {
        let index = position + leadFrames
        guard index >= 0, index >> LoopPages.pageShift < pagesPerLayer else { return 0 }
        let page = table(number)[index >> LoopPages.pageShift]
        guard page >= 0 else { return 0 }
        return pages.channel(channel, ofPage: page)[index & (LoopPages.pageFrames - 1)]
    }

    /// Returns the address of a frame for writing; its channels are `channelStride` apart.
    ///
    /// - Returns: `nil` if the position is outside the layer, or no memory is left.
    @_noLocks
    mutating func frame(_ number: Int, _ position: Int) -> UnsafeMutablePointer<Float>? {
        let index = position + leadFrames
        guard index >= 0, index >> LoopPages.pageShift < pagesPerLayer else { return nil }
        let page = writablePage(number, index >> LoopPages.pageShift)
        guard page >= 0 else { return nil }
        return pages.channel(0, ofPage: page) + index & (LoopPages.pageFrames - 1)
    }

    /// Returns a page that may be written for a layer: its own one, or else a copy that it gets
    /// together with the newer layers that continue it; -1 if no memory is left.
    @_noLocks
    private mutating func writablePage(_ number: Int, _ index: Int) -> Int32 {
        let old = table(number)[index]
        if old >= 0, !isShared(number, index) { return old }
        while pages.freeCount == 0 {
            guard forgetLayer(keeping: number) else { return -1 }
            if old >= 0, !isShared(number, index) { return old }
        }
        let page = pages.pop(copying: old)
        var layer = number
        repeat {
            table(layer)[index] = page
            layer += 1
        } while layer <= newest && self.layer(layer).pointee.isDerived
            && table(layer)[index] == old
        return page
    }

    /// Returns whether a page also belongs to the layer below.
    @_noLocks
    private func isShared(_ number: Int, _ index: Int) -> Bool {
        number > oldest && table(number - 1)[index] == table(number)[index]
    }

    // MARK: Forgetting layers

    /// Frees pages for a number of frames, by forgetting layers if necessary.
    ///
    /// - Returns: Whether the pages are free.
    @_noLocks
    mutating func reserve(frames: Int, keeping number: Int) -> Bool {
        let count = frames / LoopPages.pageFrames + 2
        while pages.freeCount < count {
            guard forgetLayer(keeping: number) else { return false }
        }
        return true
    }

    /// Forgets the layer that is needed least: the oldest one, or else the newest one.
    ///
    /// - Returns: Whether there was a layer other than those from the current one to `number`.
    @_noLocks
    private mutating func forgetLayer(keeping number: Int) -> Bool {
        if oldest < min(min(number, current), saved) {
            forgetOldest()
        } else if newest > max(max(number, current), recorded), newest != saved {
            forgetNewest()
        } else {
            return false
        }
        return true
    }

    @_noLocks
    private mutating func forgetOldest() {
        let (leaving, next) = (table(oldest), table(oldest + 1))
        for index in 0..<pagesPerLayer where leaving[index] >= 0 && leaving[index] != next[index] {
            pages.push(leaving[index])
        }
        oldest += 1
    }

    @_noLocks
    private mutating func forgetNewest() {
        let leaving = table(newest)
        for index in 0..<pagesPerLayer where leaving[index] >= 0 && !isShared(newest, index) {
            pages.push(leaving[index])
        }
        newest -= 1
    }

    // MARK: Layers

    /// Forgets all layers.
    @_noLocks
    mutating func clear() {
        pages.freeAll()
        (oldest, newest, current, recorded, saved) = (0, -1, 0, 0, .max)
        chain &+= 1
    }

    /// Forgets the layers above a layer; a save of one of them is given up.
    @_noLocks
    mutating func forget(above number: Int) {
        while newest > number { forgetNewest() }
    }

    /// Adds a layer above the newest one, which must be the current one.
    ///
    /// - Parameter isDerived: Whether the layer continues the newest one; otherwise it is silent.
    /// - Returns: The number of the layer.
    @_noLocks
    mutating func addLayer(isDerived: Bool) -> Int {
        // A save that is 31 layers behind is given up.
        if newest - oldest + 1 == Self.layerCapacity { forgetOldest() }
        newest += 1
        layersMade &+= 1
        var added = LoopLayer()
        if isDerived {
            added = layer(newest - 1).pointee
            rt_copy_bytes(table(newest), table(newest - 1), Int64(4 * pagesPerLayer))
        } else {
            table(newest).update(repeating: -1, count: pagesPerLayer)
        }
        added.isDerived = isDerived
        added.generation = layersMade
        layer(newest).pointee = added
        return newest
    }

    // MARK: Notes for a replay

    /// The number of parts of a page in notes.
    var partsPerPage: Int { @_noLocks get { pages.samplesPerPage / SoundPart.capacity } }

    /// Returns the number of pages of a layer: all of them while it is being recorded.
    @_noLocks
    func pageCount(ofLayer number: Int) -> Int {
        let frames = layer(number).pointee.lengthFrames
        // The layer of an insert has the length of the former one until the insert ends.
        guard frames > 0, number == 0 || number != recorded else { return pagesPerLayer }
        // A cycle can be a frame longer than the layer.
        return min(pagesPerLayer, (leadFrames + frames + 1) >> LoopPages.pageShift + 1)
    }

    /// Returns the consecutive layers to which a page of a layer belongs; `nil` without a page.
    @_noLocks
    func sharingLayers(_ number: Int, page index: Int) -> (first: Int, last: Int)? {
        let page = table(number)[index]
        guard page >= 0 else { return nil }
        var (first, last) = (number, number)
        while first > oldest, table(first - 1)[index] == page { first -= 1 }
        while last < newest, table(last + 1)[index] == page { last += 1 }
        return (first, last)
    }

    /// Returns whether a layer is the highest one to which its page belongs, and the page does not
    /// belong to the current layer.
    @_noLocks
    func isHighest(_ number: Int, page index: Int) -> Bool {
        let page = table(number)[index]
        // A page belongs to consecutive layers.
        return page >= 0 && (number == newest || table(number + 1)[index] != page)
            && (current > number || table(current)[index] != page)
    }

    /// Returns a part of a page.
    ///
    /// - Parameters:
    ///   - layers: The layers to which the page belongs.
    ///   - index: The index of the page.
    ///   - part: The index of the part, below `partsPerPage`.
    /// - Returns: The part.
    @_noLocks
    func part(_ layers: (first: Int, last: Int), page index: Int, _ part: Int) -> SoundPart {
        let page = table(layers.first)[index]
        let start = pages.channel(0, ofPage: page) + part * SoundPart.capacity
        let count = layers.last - layers.first + 1
        return SoundPart(
            address: UInt64(bitPattern: Int64(layers.first)),
            secondAddress: UInt64(bitPattern: Int64(index)) << 32
                | UInt64(bitPattern: Int64(part)) << 8 | UInt64(bitPattern: Int64(count)),
            start: start, count: SoundPart.capacity)
    }

    /// A part without samples.
    var noPart: SoundPart {
        @_noLocks get {
            SoundPart(
                address: 0, secondAddress: 0, start: pages.channel(0, ofPage: 0), count: 0)
        }
    }

    /// The largest magnitude of a noted sample; an overdub adds at most 1e12, so no loop has more.
    private static var mostMagnitude: Float { 1e30 }

    /// Replaces a part of a page by a noted one, if all of its layers exist.
    ///
    /// A sample that no loop contains, such as NaN, becomes 0.
    mutating func restore(_ part: SoundPart) {
        let index = Int(part.secondAddress >> 32)
        let number = Int(part.secondAddress >> 8 & 0xFF_FFFF)
        let count = Int(part.secondAddress & 0xFF)
        guard let first = Int(exactly: part.address), first >= oldest, first <= newest, count > 0,
            count <= newest - first + 1, index < pagesPerLayer, number < partsPerPage,
            part.count == SoundPart.capacity
        else { return }
        // Other layers never share pages.
        for layer in first + 1..<first + count where !self.layer(layer).pointee.isDerived { return }
        let page = restoredPage(first, first + count - 1, index)
        guard page >= 0 else { return }
        let start = pages.channel(0, ofPage: page) + number * SoundPart.capacity
        for index in 0..<part.count {
            let sample = part.start[index]
            start[index] = abs(sample) <= Self.mostMagnitude ? sample : 0
        }
    }

    /// Returns the page that these consecutive layers share and no other layer uses: their own one,
    /// or else a new one; -1 if no memory is left.
    private mutating func restoredPage(_ first: Int, _ last: Int, _ index: Int) -> Int32 {
        let old = table(first)[index]
        if let layers = sharingLayers(first, page: index), layers.first == first,
            layers.last == last
        {
            return old
        }
        dropPages(first, last, index)
        let page = pages.pop(copying: old)
        guard page >= 0 else { return -1 }
        for number in first...last { table(number)[index] = page }
        return page
    }

    /// Removes a page of consecutive layers, and frees the pages that no other layer uses.
    ///
    /// A page belongs to consecutive layers. If lower and higher layers share the page, the higher
    /// ones lose it too: they wait for a part of their own.
    private mutating func dropPages(_ first: Int, _ last: Int, _ index: Int) {
        var number = first
        while number <= last {
            var end = number
            if let layers = sharingLayers(number, page: index) {
                end = min(layers.last, last)
                if layers.first < first, layers.last > last {
                    for layer in last + 1...layers.last { table(layer)[index] = -1 }
                } else if layers.first >= first, layers.last <= last {
                    pages.push(table(number)[index])
                }
            }
            for layer in number...end { table(layer)[index] = -1 }
            number = end + 1
        }
    }

    /// The largest number of words of `note`.
    static var noteWords: Int { 5 + 3 * layerCapacity }
    /// The largest period of a layer, in frames.
    static var mostPeriodFrames: Double { @_noLocks get { 1_073_741_824 } }

    /// Writes the layers without their pages.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(UInt64(chain) | UInt64(layersMade) << 32)
        notes.pointee.put(oldest)
        notes.pointee.put(newest)
        for number in oldest..<newest + 1 {
            let layer = layer(number).pointee
            notes.pointee.put(UInt64(layer.generation) | (layer.isDerived ? 1 << 32 : 0))
            notes.pointee.put(layer.lengthFrames)
            notes.pointee.put(layer.periodFrames)
        }
        notes.pointee.put(current)
        notes.pointee.put(recorded)
    }

    /// Continues with noted layers; those that are already there keep their pages.
    ///
    /// - Parameters:
    ///   - notes: The notes.
    ///   - leastFrames: The length of the shortest loop.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>, leastFrames: Int) {
        let word = notes.pointee.pop()
        let noted = UInt32(truncatingIfNeeded: word)
        let first = notes.pointee.pop(from: 0, through: 1 << 40)
        let last = notes.pointee.pop(from: first - 1, through: first + Self.layerCapacity - 1)
        if noted == chain, first >= oldest, first <= newest {
            while oldest < first { forgetOldest() }
        } else {
            pages.freeAll()
            (oldest, newest, chain) = (first, first - 1, noted)
        }
        layersMade = UInt32(truncatingIfNeeded: word >> 32)
        for number in first..<last + 1 { followLayer(number, notes, leastFrames: leastFrames) }
        forget(above: last)
        current = notes.pointee.pop(from: first, through: max(first, last))
        recorded = notes.pointee.pop(from: 0, through: max(0, last))
    }

    /// Continues with a noted layer; only the last one, if it is being recorded, has no length.
    @_noLocks
    private mutating func followLayer(
        _ number: Int, _ notes: UnsafeMutablePointer<StateNotes>, leastFrames: Int
    ) {
        let word = notes.pointee.pop()
        var noted = LoopLayer()
        noted.generation = UInt32(truncatingIfNeeded: word)
        noted.isDerived = word & 1 << 32 != 0
        noted.lengthFrames = notes.pointee.pop(
            from: 0, through: pagesPerLayer << LoopPages.pageShift - leadFrames)
        noted.periodFrames = notes.pointee.popNumber(within: Self.mostPeriodFrames)
        let isKept = number <= newest && layer(number).pointee.generation == noted.generation
        if isKept {
            // Layers that share pages must remain derived.
            noted.isDerived = layer(number).pointee.isDerived
        } else {
            forget(above: number - 1)
            newest = number
            if noted.isDerived, number > oldest {
                rt_copy_bytes(table(number), table(number - 1), Int64(4 * pagesPerLayer))
            } else {
                table(number).update(repeating: -1, count: pagesPerLayer)
            }
        }
        layer(number).pointee = noted
        if number > oldest { closeLayer(number - 1, leastFrames: leastFrames) }
    }

    /// Gives a layer at least the length of the shortest loop.
    @_noLocks
    func closeLayer(_ number: Int, leastFrames: Int) {
        let closed = layer(number)
        closed.pointee.lengthFrames = max(closed.pointee.lengthFrames, leastFrames)
        closed.pointee.periodFrames = max(closed.pointee.periodFrames, Double(leastFrames))
    }
}

/// The sizes of a loop's memory.
package struct LoopStoreSize {
    let channelCount: Int
    let leadFrames: Int
    let pagesPerLayer: Int
    let pageCount: Int

    /// - Parameters:
    ///   - channelCount: The number of channels.
    ///   - leadFrames: The frames before position 0.
    ///   - maximumFrames: The longest loop.
    ///   - historyFrames: The overdubbed frames that undo can hold in addition to the loop.
    init(channelCount: Int, leadFrames: Int, maximumFrames: Int, historyFrames: Int) {
        self.channelCount = max(1, channelCount)
        self.leadFrames = leadFrames
        pagesPerLayer = (leadFrames + maximumFrames) / LoopPages.pageFrames + 1
        pageCount = pagesPerLayer + historyFrames / LoopPages.pageFrames + 2
    }

    /// The number of samples in all pages.
    package var sampleCount: Int {
        pageCount.multipliedClamped(by: LoopPages.pageFrames).multipliedClamped(by: channelCount)
    }

    /// The number of bytes of the samples and the tables.
    var byteCount: Int {
        sampleCount.multipliedClamped(by: 4).addingClamped(
            4 * (LoopStore.layerCapacity * pagesPerLayer + pageCount))
    }
}
