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
    private static var mostPages: Int { @_noLocks get { 64 } }
    /// The largest number of parts of other layers in a round: 44 s of two channels at 48 kHz.
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
            if hasEnded(in: store) {
                self = LoopSweep()
                return nil
            }
            if page >= store.pageCount(ofLayer: layer) {
                beginNextLayer(in: store)
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
        guard isCurrent || store.isHighest(layer, page: page) else { return nil }
        return store.sharingLayers(layer, page: page)
    }

    /// Returns whether no other layer remains to be noted in this round.
    @_noLocks
    private func hasEnded(in store: borrowing LoopStore) -> Bool {
        !isCurrent && (otherParts >= LoopSweep.mostOtherParts || layer < store.oldest)
    }

    /// Begins the next older layer.
    @_noLocks
    private mutating func beginNextLayer(in store: borrowing LoopStore) {
        layer = isCurrent ? store.newest : layer - 1
        if layer == store.current { layer -= 1 }
        (isCurrent, page, part) = (false, 0, 0)
    }
}
