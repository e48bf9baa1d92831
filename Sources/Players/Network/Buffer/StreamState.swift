/// The state that a stream's thread and its reader share.
struct StreamState: ~Copyable, Sendable {
    /// How the sound continues when the store is empty.
    enum Outlook {
        case more, ended
        case failed(String)
    }

    /// The frames that have arrived and have not been read.
    var store: FrameStore
    /// The number of frames to buffer before playback starts.
    let wantedFrames: Int
    /// How the sound continues after the frames in the store.
    private(set) var outlook = Outlook.more
    /// The tenths of the wanted buffer in the last notice; `nil` while the stream plays.
    private var reportedTenths: Int? = 0
    /// Whether the end has been reported.
    private var isEndReported = false
    /// The number of frames that have arrived so far.
    private var arrivedFrames = 0
    private var log = NoticeLog()

    /// The total number of frames if it is known.
    var frameCount: Int?
    /// The next order for the thread.
    var order: StreamOrder?
    /// The frame to continue from once the length is known.
    var requestedFrame: Int?

    /// Creates a state that waits for its first sound.
    init(store: consuming FrameStore, wantedFrames: Int) {
        self.store = store
        self.wantedFrames = wantedFrames
        log.add(.buffering(0))
    }

    /// Adds a notice that is due now.
    mutating func report(_ notice: StreamNotice) { log.add(notice) }

    /// Adds a title that is due when the sound before it has been read.
    mutating func report(title: String) { log.add(title: title, atFrame: arrivedFrames) }

    /// Appends frames that have arrived, and returns how many fit.
    mutating func deliver(_ frames: Int, from samples: UnsafePointer<Float>) -> Int {
        let taken = store.append(frames, from: samples)
        arrivedFrames += taken
        weighBuffer()
        return taken
    }

    /// Sets how the sound continues after the frames in the store.
    mutating func finish(_ outlook: Outlook) {
        self.outlook = outlook
        weighBuffer()
    }

    /// Discards the buffered sound, and stores a new order for the thread.
    mutating func restart(with order: StreamOrder) {
        self.order = order
        store.removeAll()
        outlook = .more
        isEndReported = false
        log.dropTitles()
        beginBuffering()
    }

    /// Reads frames, or returns the reason why none can be read.
    mutating func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) -> StreamRead {
        guard reportedTenths == nil else { return .waiting }
        let given = store.read(frames, into: samples)
        if given > 0 { return .frames(given) }
        switch outlook {
        case .more:
            beginBuffering()
            return .waiting
        case .ended: return end(.ended, as: .ended)
        case .failed(let reason): return end(.failed(reason), as: .failed(reason))
        }
    }

    /// Returns the oldest notice that is due.
    mutating func nextNotice() -> StreamNotice? {
        log.next(readFrames: arrivedFrames - store.count)
    }

    private mutating func end(_ read: StreamRead, as notice: StreamNotice) -> StreamRead {
        if !isEndReported { log.add(notice) }
        isEndReported = true
        return read
    }

    private mutating func beginBuffering() {
        if reportedTenths == nil { log.add(.buffering(0)) }
        reportedTenths = 0
    }

    /// Reports how full the buffer is; playback starts if it is full or no more sound will arrive.
    private mutating func weighBuffer() {
        guard let reported = reportedTenths else { return }
        let isOver = if case .more = outlook { false } else { true }
        let tenths = min(store.count * 10 / wantedFrames, 10)
        guard tenths == 10 || isOver else {
            if tenths > reported { log.add(.buffering(Double(tenths) / 10)) }
            reportedTenths = max(reported, tenths)
            return
        }
        reportedTenths = nil
        if store.count > 0 { log.add(.playing) }
    }
}

/// An order for a stream's thread.
enum StreamOrder: Equatable {
    case seek(frame: Int)
    case close
}
