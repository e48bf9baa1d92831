/// A start that was asked for.
struct Start: BitwiseCopyable {
    var place: ReelPlace
    /// What it waits for.
    var point: StartPoint
    var swellFrames: Int
    /// Whether a voice that was paused goes on instead.
    var resumes = false
}

/// Starts that wait for their time or for a free voice.
///
/// It owns its memory without freeing it: whoever made it calls `deallocate`.
struct StartQueue: BitwiseCopyable {
    // SAFETY: the place lives from `init` through `deallocate`, which the owner calls at its own end.
    private let starts: UnsafeMutablePointer<Start>
    private(set) var count = 0

    private static var capacity: Int { @_noLocks get { 32 } }

    init() {
        starts = .allocate(capacity: Self.capacity)
        starts.initialize(
            repeating: Start(place: ReelPlace(), point: .now, swellFrames: 0),
            count: Self.capacity)
    }

    func deallocate() { starts.deallocate() }

    var first: Start? { @_noLocks get { count > 0 ? starts[0] : nil } }
    var last: Start? { @_noLocks get { count > 0 ? starts[count - 1] : nil } }

    /// Adds one behind the others; what no voice could play anyway is left out.
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
        for place in 0..<count { starts[place] = starts[place + 1] }
    }

    @_noLocks
    mutating func clear() { count = 0 }
}
