/// What a stream's thread and whoever reads it share.
struct StreamState: ~Copyable, Sendable {
    /// How the sound goes on once the store is empty.
    enum Outlook {
        case more, ended
        case failed(String)
    }

    /// The sound that has come.
    var store: FrameStore
    /// Frames that have to be there before it plays.
    let wantedFrames: Int
    /// What comes behind what is in the store.
    private(set) var outlook = Outlook.more
    /// Tenths of what is wanted that were told; nil while it plays.
    private var toldTenths: Int? = 0
    /// Whether the end was told.
    private var isEndTold = false
    /// Frames that came in all.
    private var cameFrames = 0
    private var log = NoticeLog()

    /// Frames of the whole, where that is known.
    var frameCount: Int?
    /// What the thread is to do next.
    var order: StreamOrder?
    /// Where the sound is to go on once the length is known.
    var wishedFrame: Int?

    /// A state that waits for its first sound.
    init(store: consuming FrameStore, wantedFrames: Int) {
        self.store = store
        self.wantedFrames = wantedFrames
        log.add(.buffering(0))
    }

    /// Says something now.
    mutating func tell(_ notice: StreamNotice) { log.add(notice) }

    /// Says a title when the sound that came before it has been read.
    mutating func tell(title: String) { log.add(title: title, atFrame: cameFrames) }

    /// Takes sound that came.
    mutating func deliver(_ frames: Int, from samples: UnsafePointer<Float>) -> Int {
        let taken = store.append(frames, from: samples)
        cameFrames += taken
        weighBuffer()
        return taken
    }

    /// Says what comes behind the sound that is there.
    mutating func finish(_ outlook: Outlook) {
        self.outlook = outlook
        weighBuffer()
    }

    /// Begins anew as the thread is asked to: what is there is forgotten.
    mutating func restart(with order: StreamOrder) {
        self.order = order
        store.removeAll()
        outlook = .more
        isEndTold = false
        log.dropTitles()
        beginBuffering()
    }

    /// Gives sound away, or says why there is none.
    mutating func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) -> StreamRead {
        guard toldTenths == nil else { return .waiting }
        let given = store.take(frames, into: samples)
        if given > 0 { return .frames(given) }
        switch outlook {
        case .more:
            beginBuffering()
            return .waiting
        case .ended: return end(.ended, as: .ended)
        case .failed(let reason): return end(.failed(reason), as: .failed(reason))
        }
    }

    /// The oldest notice that is due.
    mutating func nextNotice() -> StreamNotice? { log.next(readFrames: cameFrames - store.count) }

    private mutating func end(_ read: StreamRead, as notice: StreamNotice) -> StreamRead {
        if !isEndTold { log.add(notice) }
        isEndTold = true
        return read
    }

    private mutating func beginBuffering() {
        if toldTenths == nil { log.add(.buffering(0)) }
        toldTenths = 0
    }

    /// Tells how full the buffer is, and plays where it is full or nothing more will come.
    private mutating func weighBuffer() {
        guard let told = toldTenths else { return }
        let isOver = if case .more = outlook { false } else { true }
        let tenths = min(store.count * 10 / wantedFrames, 10)
        guard tenths == 10 || isOver else {
            if tenths > told { log.add(.buffering(Double(tenths) / 10)) }
            toldTenths = max(told, tenths)
            return
        }
        toldTenths = nil
        if store.count > 0 { log.add(.playing) }
    }
}

/// What a stream's thread is asked for.
enum StreamOrder: Equatable {
    case seek(frame: Int)
    case close
}
