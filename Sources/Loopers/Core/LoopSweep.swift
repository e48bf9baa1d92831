internal import Realtime

/// The order in which a loop is noted for a replay: first the pages of the current layer, then those
/// that only other layers have, from the newest one on.
struct LoopSweep: BitwiseCopyable {
    /// The layer whose pages are noted; at first, that is the current one.
    private var layer = 0
    private var isCurrent = true
    private var page = 0
    private var part = 0
    /// The number of parts of the current layer since its first page.
    private var currentParts = 0
    /// The number of parts of other layers in this round.
    private var otherParts = 0

    /// The largest number of pages that one call looks at.
    private static var mostPages: Int { @_noLocks get { 256 } }
    /// The largest number of parts of other layers in a round: about 40 s of two channels at 48 kHz.
    private static var mostOtherParts: Int { @_noLocks get { 4096 } }

    /// Begins with the first page of the current layer again, because another layer is the current
    /// one now.
    ///
    /// The parts of the former one count as those of another layer, so a round ends however often
    /// the layer changes. An overdub is no such change: its layer begins with the noted pages.
    @_noLocks
    mutating func restart() {
        guard otherParts < LoopSweep.mostOtherParts else { return }
        otherParts += currentParts
        (isCurrent, page, part, currentParts) = (true, 0, 0, 0)
    }

    /// Returns the next part.
    ///
    /// - Parameter store: The memory of the loop.
    /// - Returns: A part, which has no samples if the next page was not found yet; `nil` at the end
    ///   of a round.
    @_noLocks
    mutating func next(in store: borrowing LoopStore) -> SoundPart? {
        guard store.newest >= store.oldest else {
            self = LoopSweep()
            return nil
        }
        layer = isCurrent ? store.current : min(layer, store.newest)
        for _ in 0..<LoopSweep.mostPages {
            if page >= store.pageCount(ofLayer: layer) {
                guard beginNextLayer(in: store) else {
                    self = LoopSweep()
                    return nil
                }
            } else if part < store.partsPerPage, let layers = layersOfPage(in: store) {
                if isCurrent { currentParts += 1 } else { otherParts += 1 }
                part += 1
                return store.part(layers, page: page, part - 1)
            } else {
                (page, part) = (page + 1, 0)
            }
        }
        return store.noPart
    }

    /// Returns the layers of the page, if it must be noted with this layer; otherwise `nil`.
    @_noLocks
    private func layersOfPage(in store: borrowing LoopStore) -> (first: Int, last: Int)? {
        guard let layers = store.sharingLayers(layer, page: page) else { return nil }
        if isCurrent { return layers }
        guard otherParts < LoopSweep.mostOtherParts else { return nil }
        let hasCurrent = layers.first <= store.current && store.current <= layers.last
        return layers.last == layer && !hasCurrent ? layers : nil
    }

    /// Begins the next older layer; returns `false` if there is none.
    @_noLocks
    private mutating func beginNextLayer(in store: borrowing LoopStore) -> Bool {
        layer = isCurrent ? store.newest : layer - 1
        if layer == store.current { layer -= 1 }
        (isCurrent, page, part) = (false, 0, 0)
        return layer >= store.oldest
    }
}
