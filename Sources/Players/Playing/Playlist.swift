internal import CRealtime
internal import Processing
internal import Realtime

/// A playback position in a player's list of sounds.
struct PlaylistPosition: BitwiseCopyable, Equatable {
    /// The entry of the sound in the table; it stays the same when the list changes.
    var entry: Int
    var frame = 0
    /// The number of completed rounds.
    var rounds = 0
    /// The length of the crossfade from the end into the beginning, in frames: 0 for none, `nil`
    /// while this is not decided.
    ///
    /// The list may change during the crossfade, which continues unchanged.
    var blendFrames: Int?
    var hasEnded = false
}

/// The playlist of a player: its sounds in order, and the transitions from one to the next.
struct Playlist: ~Copyable {
    let channels: Int
    // SAFETY: the player keeps its `PlaylistFiles` alive, which owns the offer and the tables. It
    // frees a table only after `markUsed` with a newer one.
    private var table: UnsafeMutablePointer<PlaylistTable>
    private let offer: UnsafeMutablePointer<PlaylistOffer>
    /// Whether the reader waits for the release of removed sounds.
    var hasLeavingSounds = false
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

    /// Creates the playlist of a player that has not started.
    ///
    /// - Parameters:
    ///   - files: The files of the player.
    ///   - reader: Reads the pages of the files.
    ///   - arrivals: Notes the arrivals of pages and lists.
    ///   - channels: The channels of the player.
    ///   - isLive: Whether pages may arrive too late.
    ///   - crossfadeFrames: The length of the crossfade of a loop.
    ///   - loopCount: How often the sound plays when it loops; 0 for no limit.
    ///   - hasCues: Whether each sound is a separate cue.
    init(
        _ files: PlaylistFiles, reader: PageReader,
        arrivals: UnsafeMutablePointer<ArrivalNotes>, channels: Int, isLive: Bool,
        crossfadeFrames: Int, loopCount: Int, hasCues: Bool
    ) {
        self.channels = channels
        self.crossfadeFrames = crossfadeFrames
        self.loopCount = loopCount
        self.hasCues = hasCues
        let first = files.firstTable
        table = first
        offer = files.offer
        cache = PageCache(
            reader, items: first.pointee.entries.start, arrivals: arrivals, channels: channels,
            isLive: isLive)
    }

    // MARK: The list

    /// Uses the newest version of the list.
    ///
    /// - Returns: Whether the list has changed.
    @_noLocks
    mutating func update() -> Bool {
        let arrivals = cache.arrivals
        if arrivals.pointee.isRepeating {
            guard arrivals.pointee.pop(.list) != nil else { return false }
        }
        guard let new = offer.pointee.take() else { return false }
        arrivals.pointee.note(.list, Int32(truncatingIfNeeded: new.pointee.version))
        table = new
        cache.items = new.pointee.entries.start
        cache.isDue = true
        offer.pointee.markUsed(version: new.pointee.version)
        hasLeavingSounds = false
        for entry in 0..<entryCount where isLeaving(entry) { hasLeavingSounds = true }
        return true
    }

    /// The number of entries: of listed, of removed and of free ones.
    var entryCount: Int { @_noLocks get { table.pointee.entries.count } }

    /// Returns whether the reader waits for the release of a removed sound.
    @_noLocks
    func isLeaving(_ entry: Int) -> Bool { table.pointee.entries[entry].isLeaving }

    /// Releases a removed sound that nothing needs any more.
    ///
    /// - Returns: `false` if the sound cannot be released yet.
    @_noLocks
    mutating func release(_ entry: Int) -> Bool {
        guard cache.forget(item: entry),
            cache.send(.released(item: entry, version: table.pointee.version))
        else { return false }
        table.pointee.entries[entry].isLeaving = false
        return true
    }

    /// The number of sounds in the list.
    var itemCount: Int { @_noLocks get { table.pointee.order.count } }

    /// The beginning of the first sound in playing order.
    var beginning: PlaylistPosition {
        @_noLocks get { PlaylistPosition(entry: table.pointee.order[0]) }
    }

    /// Returns whether a sound is in the list, not removed from it.
    @_noLocks
    func isListed(_ entry: Int) -> Bool { table.pointee.entries[entry].number >= 0 }

    /// Returns the number of a sound in the list, from 0; -1 if it has been removed.
    @_noLocks
    func number(of entry: Int) -> Int { table.pointee.entries[entry].number }

    /// Returns the sound with a number in the list, from 0.
    @_noLocks
    func entry(withNumber number: Int) -> Int {
        for turn in 0..<itemCount
        where table.pointee.entries[table.pointee.order[turn]].number == number {
            return table.pointee.order[turn]
        }
        return table.pointee.order[0]
    }

    /// Returns the sound at an index of the playing order, counted around the list.
    @_noLocks
    func entry(atTurn turn: Int) -> Int {
        table.pointee.order[(turn % itemCount + itemCount) % itemCount]
    }

    /// Returns the sound after another one, or after the place of a removed one.
    @_noLocks
    func entry(after entry: Int) -> Int {
        self.entry(atTurn: table.pointee.entries[entry].turn + (isListed(entry) ? 1 : 0))
    }

    /// Returns the sound before another one, or before the place of a removed one.
    @_noLocks
    func entry(before entry: Int) -> Int {
        self.entry(atTurn: table.pointee.entries[entry].turn - 1)
    }

    /// Returns the same sound if it is in the list; otherwise the sound in its place.
    @_noLocks
    func listedEntry(for entry: Int) -> Int {
        isListed(entry) ? entry : self.entry(after: entry)
    }

    /// Returns the same position if its sound is in the list; otherwise the beginning of the sound in
    /// its place.
    @_noLocks
    func listed(_ position: PlaylistPosition) -> PlaylistPosition {
        isListed(position.entry)
            ? position : PlaylistPosition(entry: listedEntry(for: position.entry))
    }

    // MARK: The sounds

    @_noLocks
    private func sound(_ entry: Int) -> PlaylistSound { table.pointee.entries[entry].sound }

    @_noLocks
    func frameCount(of entry: Int) -> Int { sound(entry).frameCount }

    @_noLocks
    func gain(of entry: Int) -> Float { sound(entry).gain }

    /// Returns whether a sound is loaded into memory in full.
    @_noLocks
    func isClip(_ entry: Int) -> Bool { sound(entry).clip != nil }

    /// Returns whether a sound comes from the network.
    @_noLocks
    func isStream(_ entry: Int) -> Bool { sound(entry).isStream }

    /// Returns the length of a sound in frames if it is known; otherwise 0.
    @_noLocks
    func knownFrames(of entry: Int) -> Int {
        let sound = sound(entry)
        return sound.frameCount < .max ? sound.frameCount : sound.knownFrames
    }

    /// Returns whether a sound is a stream without a known end, which cannot seek.
    @_noLocks
    func isEndless(_ entry: Int) -> Bool { isStream(entry) && knownFrames(of: entry) == 0 }

    /// Records the position of a stream.
    @_noLocks
    mutating func pass(_ position: PlaylistPosition) {
        if isStream(position.entry) { streamFrame = position.frame }
    }

    /// Returns the frames at a position; `nil` if they are not available yet.
    @_noLocks
    mutating func span(entry: Int, frame: Int) -> Span? {
        let sound = sound(entry)
        let left = sound.frameCount - frame
        if let clip = sound.clip {
            return Span(
                samples: clip + frame, stride: max(1, sound.frameCount), frameCount: left)
        }
        guard var span = cache.span(item: entry, frame: frame) else { return nil }
        span.frameCount = min(span.frameCount, left)
        return span
    }

    // MARK: Transitions

    /// Whether looping repeats one sound and not the whole list.
    private var loopsOne: Bool { @_noLocks get { hasCues || itemCount == 1 } }

    /// Returns the length of a loop's crossfade in frames, if the sound is the whole loop: at most
    /// half of the sound.
    @_noLocks
    func longestBlendFrames(of entry: Int) -> Int {
        min(crossfadeFrames, frameCount(of: entry) / 2)
    }

    /// Returns the length of a loop's crossfade in frames; 0 if the sound is not the whole loop.
    @_noLocks
    func blendFrames(of entry: Int) -> Int {
        loopsOne && isListed(entry) ? longestBlendFrames(of: entry) : 0
    }

    /// Returns whether playback loops after this position.
    @_noLocks
    func goesRound(after position: PlaylistPosition) -> Bool {
        isLooping && (loopCount == 0 || position.rounds + 1 < loopCount)
    }

    /// Moves a position from the end of a sound to the sound that follows.
    @_noLocks
    func follow(_ position: inout PlaylistPosition) {
        let blended = position.blendFrames ?? 0
        position.blendFrames = nil
        if blended > 0 {
            // The beginning of the sound is already audible, so it continues in any case.
            position.frame = blended
            if loopCount > 0 { position.rounds += 1 }
            return
        }
        if isListed(position.entry), loopsOne {
            guard goesRound(after: position), frameCount(of: position.entry) > 0 else {
                position.hasEnded = true
                return
            }
            position.frame = 0
            if loopCount > 0 { position.rounds += 1 }
            return
        }
        followInList(&position)
    }

    /// Moves a position to the beginning of the next sound of a list, or around the list.
    @_noLocks
    private func followInList(_ position: inout PlaylistPosition) {
        let turn = table.pointee.entries[position.entry].turn + (isListed(position.entry) ? 1 : 0)
        if !hasCues, turn < itemCount {
            position.entry = table.pointee.order[turn]
        } else if !hasCues, goesRound(after: position), hasSound {
            position.entry = table.pointee.order[0]
            if loopCount > 0 { position.rounds += 1 }
        } else {
            position.hasEnded = true
            return
        }
        position.frame = 0
    }

    /// Whether the list contains any frames.
    private var hasSound: Bool {
        @_noLocks get {
            for turn in 0..<itemCount where frameCount(of: table.pointee.order[turn]) > 0 {
                return true
            }
            return false
        }
    }
}

// Plans the pages that will be needed, and finds the position of a frame of the whole playlist.
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
            let total = frameCount(of: position.entry)
            if position.frame >= total {
                follow(&position)
                if position.hasEnded { return }
            }
            if isClip(position.entry) {
                position.frame = frameCount(of: position.entry)
                continue
            }
            let page = position.frame / PageLength.frames
            guard cache.want(item: position.entry, page: page) else { return }
            position.frame = (page + 1) * PageLength.frames
            let length = position.blendFrames ?? blendFrames(of: position.entry)
            let mayBlend = isLooping || position.blendFrames != nil
            if length > 0, mayBlend, position.frame > total - length {
                let into = max(0, position.frame - PageLength.frames - (total - length))
                wantHead(entry: position.entry, frame: into)
            }
        }
    }

    /// Adds two pages to the plan, so that playback can start there in the cycle of the request.
    @_noLocks
    mutating func wantHead(entry: Int, frame: Int) {
        guard !isClip(entry), !isStream(entry), frame < frameCount(of: entry) else { return }
        let page = frame / PageLength.frames
        for next in page...page + 1 where next * PageLength.frames < frameCount(of: entry) {
            _ = cache.want(item: entry, page: next)
        }
    }

    /// Returns the position of a frame counted over all rounds of a loop; `nil` after the end.
    @_noLocks
    func position(at frame: Int) -> PlaylistPosition? {
        var position = beginning
        position.frame = max(0, frame)
        if loopsOne { return positionInOne(position) }
        var total = 0
        for turn in 0..<itemCount { total += frameCount(of: entry(atTurn: turn)) }
        guard total > 0 else { return nil }
        if position.frame >= total {
            guard isLooping else { return nil }
            position.rounds = position.frame / total
            if loopCount > 0, position.rounds >= loopCount { return nil }
            position.frame %= total
        }
        var turn = 0
        while position.frame >= frameCount(of: position.entry) {
            position.frame -= frameCount(of: position.entry)
            turn += 1
            position.entry = entry(atTurn: turn)
        }
        return position
    }

    @_noLocks
    private func positionInOne(_ asked: PlaylistPosition) -> PlaylistPosition? {
        var position = asked
        let total = frameCount(of: position.entry)
        guard position.frame >= total else { return position }
        guard isLooping, total > 0 else { return nil }
        let length = blendFrames(of: position.entry)
        position.rounds = 1 + (position.frame - total) / (total - length)
        if loopCount > 0, position.rounds >= loopCount { return nil }
        position.frame = length + (position.frame - total) % (total - length)
        return position
    }
}
