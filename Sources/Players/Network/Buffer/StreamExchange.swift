internal import Synchronization
internal import Threads

/// Where a stream's thread leaves what came, and whoever reads takes it.
final class StreamExchange: Sendable {
    /// Wakes the thread: there is an order, or room for sound again.
    let bell = Bell()
    private let state: Mutex<StreamState>
    private let capacityFrames: Int

    /// An empty exchange.
    init(format: StreamFormat, patience: StreamPatience) {
        let rate = Double(format.sampleRate)
        capacityFrames = max(1, Int(patience.longestBufferSeconds * rate))
        let wanted = min(max(1, Int(patience.bufferSeconds * rate)), capacityFrames)
        state = Mutex(
            StreamState(
                store: FrameStore(capacityFrames: capacityFrames, channels: format.channels),
                wantedFrames: wanted))
    }

    /// Room below which it is not worth waking the thread.
    private var worthwhileFrames: Int { max(1, capacityFrames / 8) }

    // MARK: Whoever reads

    /// Frames of the whole, where that is known.
    var frameCount: Int? { state.withLock { $0.frameCount } }

    /// Takes what is there.
    func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) -> StreamRead {
        // SAFETY: the pointer is used within the call alone.
        nonisolated(unsafe) let samples = samples
        let (read, isRoomNew) = state.withLock { state in
            let before = state.store.roomFrames
            let read = state.read(frames, into: samples)
            return (read, before < worthwhileFrames && state.store.roomFrames >= worthwhileFrames)
        }
        if isRoomNew { bell.ring() }
        return read
    }

    /// The oldest notice that is due.
    func nextNotice() -> StreamNotice? { state.withLock { $0.nextNotice() } }

    /// Asks for the sound from a frame on: now where the length is known, else as soon as it is.
    func seek(to frame: Int) {
        state.withLock { state in
            guard state.frameCount != nil else { return state.wishedFrame = frame }
            if state.order != .close { state.restart(with: .seek(frame: frame)) }
        }
        bell.ring()
    }

    /// Asks the thread to end: there is no more sound, and no other order.
    func close() {
        state.withLock { state in
            state.restart(with: .close)
            state.finish(.ended)
        }
        bell.ring()
    }

    // MARK: The thread

    /// Takes the order that there is.
    func takeOrder() -> StreamOrder? {
        bell.silence()
        return state.withLock { state in
            defer { state.order = nil }
            return state.order
        }
    }

    /// Whether sound should be fetched.
    var hasRoom: Bool { state.withLock { $0.store.roomFrames >= worthwhileFrames } }

    /// How many frames fit.
    var roomFrames: Int { state.withLock { $0.store.roomFrames } }

    /// Leaves sound; none where an order waits, which may make it stale.
    func deliver(_ frames: Int, from samples: UnsafePointer<Float>) {
        // SAFETY: as in `read`.
        nonisolated(unsafe) let samples = samples
        state.withLock { state in
            if state.order == nil { _ = state.deliver(frames, from: samples) }
        }
    }

    /// Takes note of the length, and goes where the sound was asked for before it was known.
    func learn(frameCount: Int?) {
        state.withLock { state in
            guard state.order == nil else { return }
            state.frameCount = frameCount
            if let frame = state.wishedFrame, frameCount != nil {
                state.restart(with: .seek(frame: frame))
            }
            state.wishedFrame = nil
        }
    }

    /// Changes what is known or told; not where an order waits.
    func update(_ change: (inout StreamState) -> Void) {
        state.withLock { state in
            if state.order == nil { change(&state) }
        }
    }
}
