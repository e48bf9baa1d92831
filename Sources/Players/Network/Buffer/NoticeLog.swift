/// Notices until they are asked for; titles come when the sound does that they belong to.
struct NoticeLog: Sendable {
    private var notices: [StreamNotice] = []
    private var titles: [(text: String, frame: Int)] = []
    private var lastTitle: String?

    /// Nobody asks for more than that: the oldest are lost then.
    private static let limit = 64

    /// Adds a notice.
    mutating func add(_ notice: StreamNotice) {
        notices.append(notice)
        if notices.count > Self.limit { notices.removeFirst() }
    }

    /// Adds a title, unless it is the one before.
    mutating func add(title: String, atFrame frame: Int) {
        guard title != lastTitle else { return }
        lastTitle = title
        titles.append((title, frame))
        if titles.count > Self.limit { titles.removeFirst() }
    }

    /// Forgets the titles of sound that is not played.
    mutating func dropTitles() {
        titles.removeAll()
        lastTitle = nil
    }

    /// Takes the oldest notice that is due when so much sound has been read.
    mutating func next(readFrames: Int) -> StreamNotice? {
        if !notices.isEmpty { return notices.removeFirst() }
        guard let first = titles.first, first.frame <= readFrames else { return nil }
        return .title(titles.removeFirst().text)
    }
}
