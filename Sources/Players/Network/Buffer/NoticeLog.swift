/// A queue of notices; a title becomes due when its sound has been read.
struct NoticeLog: Sendable {
    private var notices: [StreamNotice] = []
    private var titles: [(text: String, frame: Int)] = []
    private var lastTitle: String?

    /// The largest number of pending notices and of pending titles; older ones are dropped.
    private static let limit = 64

    /// Adds a notice.
    mutating func add(_ notice: StreamNotice) {
        notices.append(notice)
        if notices.count > Self.limit { notices.removeFirst() }
    }

    /// Adds a title, unless it equals the previous one.
    mutating func add(title: String, atFrame frame: Int) {
        guard title != lastTitle else { return }
        lastTitle = title
        titles.append((title, frame))
        if titles.count > Self.limit { titles.removeFirst() }
    }

    /// Removes the titles of sound that will not be played.
    mutating func dropTitles() {
        titles.removeAll()
        lastTitle = nil
    }

    /// Removes and returns the oldest notice that is due after `readFrames` frames have been read.
    mutating func next(readFrames: Int) -> StreamNotice? {
        if !notices.isEmpty { return notices.removeFirst() }
        guard let first = titles.first, first.frame <= readFrames else { return nil }
        return .title(titles.removeFirst().text)
    }
}
