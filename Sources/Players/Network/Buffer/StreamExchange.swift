internal import Synchronization
internal import Platform

/// The buffer through which the stream's thread passes sound to the reader.
final class StreamExchange: Sendable {
    /// Wakes the thread when there is an order or room for sound.
    let bell = Bell()
    private let state: Mutex<StreamState>
    private let capacityFrames: Int

    /// Creates an empty exchange.
    init(format: StreamFormat, limits: StreamLimits) {
        let rate = Double(format.sampleRate)
        capacityFrames = max(1, Int(limits.longestBufferSeconds * rate))
        let wanted = min(max(1, Int(limits.bufferSeconds * rate)), capacityFrames)
        state = Mutex(
            StreamState(
                store: FrameStore(capacityFrames: capacityFrames, channels: format.channels),
                wantedFrames: wanted))
    }

    /// The room from which on it is worth waking the thread, in frames.
    private var minimumRoomFrames: Int { max(1, capacityFrames / 8) }

    // MARK: Reader

    /// The total number of frames if it is known.
    var frameCount: Int? { state.withLock { $0.frameCount } }

    /// Reads the available frames.
    func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) -> StreamRead {
        // SAFETY: the pointer is used only within the call.
        nonisolated(unsafe) let samples = samples
        let (read, isRoomNew) = state.withLock { state in
            let before = state.store.roomFrames
            let read = state.read(frames, into: samples)
            return (read, before < minimumRoomFrames && state.store.roomFrames >= minimumRoomFrames)
        }
        if isRoomNew { bell.ring() }
        return read
    }

    /// Returns the oldest notice that is due.
    func nextNotice() -> StreamNotice? { state.withLock { $0.nextNotice() } }

    /// Requests the sound from a frame on: now if the length is known, otherwise once it is.
    func seek(to frame: Int) {
        state.withLock { state in
            guard state.frameCount != nil else { return state.requestedFrame = frame }
            if state.order != .close { state.restart(with: .seek(frame: frame)) }
        }
        bell.ring()
    }

    /// Asks the thread to end; from then on there is no sound, and no other order is accepted.
    func close() {
        state.withLock { state in
            state.restart(with: .close)
            state.finish(.ended)
        }
        bell.ring()
    }

    // MARK: Stream's thread

    /// Removes and returns the pending order.
    func popOrder() -> StreamOrder? {
        bell.silence()
        return state.withLock { state in
            defer { state.order = nil }
            return state.order
        }
    }

    /// Whether the thread should fetch sound.
    var hasRoom: Bool { state.withLock { $0.store.roomFrames >= minimumRoomFrames } }

    /// The number of frames that fit.
    var roomFrames: Int { state.withLock { $0.store.roomFrames } }

    /// Stores frames, unless a pending order may make them stale.
    func deliver(_ frames: Int, from samples: UnsafePointer<Float>) {
        // SAFETY: the pointer is used only within the call.
        nonisolated(unsafe) let samples = samples
        state.withLock { state in
            if state.order == nil { _ = state.deliver(frames, from: samples) }
        }
    }

    /// Stores the length, and performs a seek that was requested before the length was known.
    func learn(frameCount: Int?) {
        state.withLock { state in
            guard state.order == nil else { return }
            state.frameCount = frameCount
            if let frame = state.requestedFrame, frameCount != nil {
                state.restart(with: .seek(frame: frame))
            }
            state.requestedFrame = nil
        }
    }

    /// Changes the shared state, unless an order is pending.
    func update(_ change: (inout StreamState) -> Void) {
        state.withLock { state in
            if state.order == nil { change(&state) }
        }
    }
}
