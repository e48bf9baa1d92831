internal import CRealtime

/// One sound of a player, as the audio thread has it.
struct ReelItem: BitwiseCopyable {
    /// How long it is; `.max` where nobody knows.
    var frameCount: Int
    var gain: Float
    /// The whole of it, one channel behind the other; nil where it is read a page at a time.
    var clip: UnsafePointer<Float>?
    /// Whether it comes from the network, in its own order.
    var isStream = false
    /// How long a stream is as far as it says; 0 where it has no end.
    var knownFrames = 0
}

/// Where playing stands in the sounds of a player.
struct ReelPlace: BitwiseCopyable, Equatable {
    /// Which sound, by its place in the order.
    var turn = 0
    var frame = 0
    /// How many times it went round.
    var rounds = 0
    /// Whether the end goes over into the beginning; nil as long as that is not decided.
    var isBlending: Bool?
    var hasEnded = false
}

/// All that a player plays, in its order; how one frame follows on the other.
///
/// It owns its memory without freeing it: whoever made it calls `deallocate`.
struct Reel: BitwiseCopyable {
    let channels: Int
    let itemCount: Int
    // SAFETY: the places live from `init` through `deallocate`; clips are held by the player.
    private let items: UnsafeMutablePointer<ReelItem>
    private let order: UnsafeMutablePointer<Int>
    var cache: PageCache
    /// Frames in which the end goes over into the beginning.
    private let crossfadeFrames: Int
    /// How often it plays where it goes round; 0 without end.
    let loopCount: Int
    /// Whether each sound is for itself: its end is not followed by the next.
    let hasCues: Bool
    /// Whether it goes round.
    var isLooping = false
    /// Where a stream goes on.
    private(set) var streamFrame = 0

    init(
        items: [ReelItem], reader: PageReader, channels: Int, isLive: Bool, crossfadeFrames: Int,
        loopCount: Int,
        hasCues: Bool
    ) {
        self.channels = channels
        self.crossfadeFrames = crossfadeFrames
        self.loopCount = loopCount
        self.hasCues = hasCues
        itemCount = items.count
        self.items = .allocate(capacity: max(1, items.count))
        self.items.initialize(from: items, count: items.count)
        cache = PageCache(reader, items: self.items, channels: channels, isLive: isLive)
        order = .allocate(capacity: max(1, items.count))
        order.initialize(from: Array(items.indices), count: items.count)
    }

    func deallocate() {
        items.deallocate()
        order.deallocate()
        cache.deallocate()
    }

    /// Puts the sounds into an order that the seed decides.
    @_noLocks
    func shuffle(seed: UInt64) {
        for turn in 0..<itemCount { order[turn] = turn }
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        var left = itemCount
        while left > 1 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            let other = Int(state >> 33) % left
            left -= 1
            (order[left], order[other]) = (order[other], order[left])
        }
    }

    /// The number of the sound that plays at a place, from 0.
    @_noLocks
    func item(at turn: Int) -> Int { order[turn] }

    /// Where a sound stands in the order.
    @_noLocks
    func turn(of item: Int) -> Int {
        for turn in 0..<itemCount where order[turn] == item { return turn }
        return 0
    }

    @_noLocks
    func frameCount(at turn: Int) -> Int { items[order[turn]].frameCount }

    @_noLocks
    func gain(at turn: Int) -> Float { items[order[turn]].gain }

    /// Whether the whole of a sound is in memory.
    @_noLocks
    func isClip(_ turn: Int) -> Bool { items[order[turn]].clip != nil }

    /// Whether a sound comes from the network.
    @_noLocks
    func isStream(_ turn: Int) -> Bool { items[order[turn]].isStream }

    /// How long a sound is, as far as that is known; 0 where it is not.
    @_noLocks
    func knownFrames(at turn: Int) -> Int {
        let item = items[order[turn]]
        return item.frameCount < .max ? item.frameCount : item.knownFrames
    }

    /// Whether a sound has no places but the one that comes next.
    @_noLocks
    func isEndless(_ turn: Int) -> Bool { isStream(turn) && knownFrames(at: turn) == 0 }

    /// Notes that a stream went on.
    @_noLocks
    mutating func pass(_ place: ReelPlace) {
        if isStream(place.turn) { streamFrame = place.frame }
    }

    /// Whether one sound goes round by itself.
    var loopsOne: Bool { @_noLocks get { hasCues || itemCount == 1 } }

    /// How long the end of a sound goes over into its beginning: no longer than half of it.
    @_noLocks
    func blendFrames(at turn: Int) -> Int {
        loopsOne ? min(crossfadeFrames, frameCount(at: turn) / 2) : 0
    }

    /// Whether what plays at a place begins again after it.
    @_noLocks
    func goesRound(after place: ReelPlace) -> Bool {
        isLooping && (loopCount == 0 || place.rounds + 1 < loopCount)
    }

    /// What there is at a place; nil where it is not there yet.
    @_noLocks
    mutating func span(turn: Int, frame: Int) -> Span? {
        let item = items[order[turn]]
        let left = item.frameCount - frame
        if let clip = item.clip {
            return Span(
                samples: clip + frame, stride: max(1, item.frameCount), frameCount: left)
        }
        guard var span = cache.span(item: order[turn], frame: frame) else { return nil }
        span.frameCount = min(span.frameCount, left)
        return span
    }

    /// Goes from the end of a sound to what follows on it.
    @_noLocks
    func follow(_ place: inout ReelPlace) {
        let blended = place.isBlending == true ? blendFrames(at: place.turn) : 0
        place.isBlending = nil
        if !loopsOne, place.turn + 1 < itemCount {
            place.turn += 1
            place.frame = 0
        } else if goesRound(after: place), hasSound(place.turn) {
            if loopCount > 0 { place.rounds += 1 }
            if !loopsOne { place.turn = 0 }
            place.frame = blended
        } else {
            place.hasEnded = true
        }
    }

    /// Whether going round leads anywhere.
    @_noLocks
    private func hasSound(_ turn: Int) -> Bool {
        if loopsOne { return frameCount(at: turn) > 0 }
        for other in 0..<itemCount where frameCount(at: other) > 0 { return true }
        return false
    }
}
