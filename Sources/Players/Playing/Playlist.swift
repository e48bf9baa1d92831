internal import CRealtime
internal import Realtime

/// A sound of a player, in the form that the audio thread uses.
struct PlaylistSound: BitwiseCopyable {
    /// The length in frames; `.max` if it is not known.
    var frameCount: Int
    var gain: Float
    /// All samples, one channel after the other; `nil` if the sound is read in pages.
    var clip: UnsafePointer<Float>?
    /// Whether the sound is a network stream, which arrives in order.
    var isStream = false
    /// The length that the stream reports, in frames; 0 if the stream has no end.
    var knownFrames = 0
}

/// A playback position in a player's list of sounds.
struct PlaylistPosition: BitwiseCopyable, Equatable {
    /// The index of the sound in the playing order.
    var turn = 0
    var frame = 0
    /// The number of completed rounds.
    var rounds = 0
    /// Whether the end crossfades into the beginning; `nil` while this is not decided.
    var isBlending: Bool?
    var hasEnded = false
}

/// The playlist of a player: its sounds in order, and the transitions from one to the next.
struct Playlist: ~Copyable {
    let channels: Int
    let itemCount: Int
    // SAFETY: the player keeps the clips of the items alive.
    private let items: Buffer<PlaylistSound>
    private let order: Buffer<Int>
    var cache: PageCache
    /// The length of the crossfade from the end of a loop into its beginning, in frames.
    private let crossfadeFrames: Int
    /// How often the sound plays when it loops; 0 for no limit.
    let loopCount: Int
    /// Whether each sound is a separate cue: the next sound does not follow at its end.
    let hasCues: Bool
    /// Whether the playlist loops.
    var isLooping = false
    /// The next frame of a stream.
    private(set) var streamFrame = 0

    init(
        items: [PlaylistSound], reader: PageReader, channels: Int, isLive: Bool,
        crossfadeFrames: Int,
        loopCount: Int,
        hasCues: Bool
    ) {
        self.channels = channels
        self.crossfadeFrames = crossfadeFrames
        self.loopCount = loopCount
        self.hasCues = hasCues
        itemCount = items.count
        self.items = Buffer(items)
        cache = PageCache(reader, items: self.items.start, channels: channels, isLive: isLive)
        order = Buffer(Array(items.indices))
    }

    /// Shuffles the sounds into an order that depends on the seed.
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

    /// Returns the number of the sound at an index of the playing order, from 0.
    @_noLocks
    func item(at turn: Int) -> Int { order[turn] }

    /// Returns the index of a sound in the playing order.
    @_noLocks
    func turn(of item: Int) -> Int {
        for turn in 0..<itemCount where order[turn] == item { return turn }
        return 0
    }

    @_noLocks
    func frameCount(at turn: Int) -> Int { items[order[turn]].frameCount }

    @_noLocks
    func gain(at turn: Int) -> Float { items[order[turn]].gain }

    /// Returns whether a sound is loaded into memory in full.
    @_noLocks
    func isClip(_ turn: Int) -> Bool { items[order[turn]].clip != nil }

    /// Returns whether a sound comes from the network.
    @_noLocks
    func isStream(_ turn: Int) -> Bool { items[order[turn]].isStream }

    /// Returns the length of a sound in frames if it is known; otherwise 0.
    @_noLocks
    func knownFrames(at turn: Int) -> Int {
        let item = items[order[turn]]
        return item.frameCount < .max ? item.frameCount : item.knownFrames
    }

    /// Returns whether a sound is a stream without a known end, which cannot seek.
    @_noLocks
    func isEndless(_ turn: Int) -> Bool { isStream(turn) && knownFrames(at: turn) == 0 }

    /// Records the position of a stream.
    @_noLocks
    mutating func pass(_ position: PlaylistPosition) {
        if isStream(position.turn) { streamFrame = position.frame }
    }

    /// Whether looping repeats one sound and not the whole list.
    private var loopsOne: Bool { @_noLocks get { hasCues || itemCount == 1 } }

    /// Returns the length of a loop's crossfade in frames: at most half of the sound.
    @_noLocks
    func blendFrames(at turn: Int) -> Int {
        loopsOne ? min(crossfadeFrames, frameCount(at: turn) / 2) : 0
    }

    /// Returns whether playback loops after this position.
    @_noLocks
    func goesRound(after position: PlaylistPosition) -> Bool {
        isLooping && (loopCount == 0 || position.rounds + 1 < loopCount)
    }

    /// Returns the frames at a position; `nil` if they are not available yet.
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

    /// Moves a position from the end of a sound to the sound that follows.
    @_noLocks
    func follow(_ position: inout PlaylistPosition) {
        let blended = position.isBlending == true ? blendFrames(at: position.turn) : 0
        position.isBlending = nil
        if !loopsOne, position.turn + 1 < itemCount {
            position.turn += 1
            position.frame = 0
        } else if goesRound(after: position), hasSound(position.turn) {
            if loopCount > 0 { position.rounds += 1 }
            if !loopsOne { position.turn = 0 }
            position.frame = blended
        } else {
            position.hasEnded = true
        }
    }

    /// Returns whether a loop contains any frames.
    @_noLocks
    private func hasSound(_ turn: Int) -> Bool {
        if loopsOne { return frameCount(at: turn) > 0 }
        for other in 0..<itemCount where frameCount(at: other) > 0 { return true }
        return false
    }
}

// Which pages will be needed, and where a frame of the whole playlist is.
extension Playlist {
    /// Adds the pages after a position to the plan.
    ///
    /// - Parameters:
    ///   - position: The playback position.
    ///   - pages: The number of pages to plan ahead.
    @_noLocks
    mutating func want(after position: PlaylistPosition, pages: Int) {
        var position = position
        for _ in 0..<pages {
            let total = frameCount(at: position.turn)
            if position.frame >= total {
                follow(&position)
                if position.hasEnded { return }
            }
            if isClip(position.turn) {
                position.frame = frameCount(at: position.turn)
                continue
            }
            let page = position.frame / PageLength.frames
            guard cache.want(item: item(at: position.turn), page: page) else { return }
            position.frame = (page + 1) * PageLength.frames
            let length = blendFrames(at: position.turn)
            if length > 0, isLooping, position.frame > total - length {
                let into = max(0, position.frame - PageLength.frames - (total - length))
                wantHead(turn: position.turn, frame: into)
            }
        }
    }

    /// Adds two pages to the plan, so that playback can start there in the cycle of the request.
    @_noLocks
    mutating func wantHead(turn: Int, frame: Int) {
        guard !isClip(turn), !isStream(turn), frame < frameCount(at: turn) else { return }
        let page = frame / PageLength.frames
        for next in page...page + 1 where next * PageLength.frames < frameCount(at: turn) {
            _ = cache.want(item: item(at: turn), page: next)
        }
    }

    /// Returns the position of a frame counted over all rounds of a loop; `nil` after the end.
    @_noLocks
    func position(at frame: Int) -> PlaylistPosition? {
        var position = PlaylistPosition()
        position.frame = max(0, frame)
        if loopsOne { return positionInOne(position) }
        var total = 0
        for turn in 0..<itemCount { total += frameCount(at: turn) }
        guard total > 0 else { return nil }
        if position.frame >= total {
            guard isLooping else { return nil }
            position.rounds = position.frame / total
            if loopCount > 0, position.rounds >= loopCount { return nil }
            position.frame %= total
        }
        while position.frame >= frameCount(at: position.turn) {
            position.frame -= frameCount(at: position.turn)
            position.turn += 1
        }
        return position
    }

    @_noLocks
    private func positionInOne(_ asked: PlaylistPosition) -> PlaylistPosition? {
        var position = asked
        let total = frameCount(at: 0)
        guard position.frame >= total else { return position }
        guard isLooping, total > 0 else { return nil }
        let length = blendFrames(at: 0)
        position.rounds = 1 + (position.frame - total) / (total - length)
        if loopCount > 0, position.rounds >= loopCount { return nil }
        position.frame = length + (position.frame - total) % (total - length)
        return position
    }
}
