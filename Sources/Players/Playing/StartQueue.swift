internal import Realtime

/// A requested start.
struct Start: BitwiseCopyable {
    var position: PlaylistPosition
    /// The musical point that the start waits for.
    var point: StartPoint
    var fadeInFrames: Int
    /// Whether a paused voice resumes instead.
    var resumes = false
}

/// The starts that wait for their time or for a free voice.
struct StartQueue: ~Copyable {
    private let starts: Buffer<Start>
    private(set) var count = 0

    private static var capacity: Int { @_noLocks get { 32 } }

    init() {
        starts = Buffer(
            count: Self.capacity,
            repeating: Start(
                position: PlaylistPosition(entry: 0), point: .now, fadeInFrames: 0))
    }

    var first: Start? { @_noLocks get { count > 0 ? starts[0] : nil } }
    var last: Start? { @_noLocks get { count > 0 ? starts[count - 1] : nil } }

    /// Returns whether a start begins in a sound, given by its entry.
    @_noLocks
    func needs(_ entry: Int) -> Bool {
        for index in 0..<count where starts[index].position.entry == entry { return true }
        return false
    }

    /// Replaces the starts in sounds that are no longer in the list by starts of the sounds in their
    /// places.
    @_noLocks
    mutating func follow(_ playlist: borrowing Playlist) {
        for index in 0..<count {
            starts[index].position = playlist.listed(starts[index].position)
        }
    }

    /// Appends a start; drops it if the queue is full, because no voice could play it anyway.
    @_noLocks
    mutating func add(_ start: Start) {
        guard count < Self.capacity else { return }
        starts[count] = start
        count += 1
    }

    @_noLocks
    mutating func removeFirst() {
        guard count > 0 else { return }
        count -= 1
        for position in 0..<count { starts[position] = starts[position + 1] }
    }

    @_noLocks
    mutating func clear() { count = 0 }
}
