internal import Realtime
internal import Synchronization

/// The frames of a loop on their way from the audio thread to the thread that writes its file.
///
/// The audio thread begins a save, stores frames as far as there is room, and completes or gives it
/// up. The writer ends it, and only then another one can begin.
struct SaveExchange: ~Copyable {
    // SAFETY: frames are stored before the releasing store to `written` and read after its acquiring
    // load; their memory is used again only after the acquiring load of `read`.

    /// The state of a save.
    enum Phase: Int {
        case none
        /// Frames arrive.
        case running
        /// All frames have been stored.
        case complete
        /// The loop was removed before all frames were stored.
        case givenUp
    }

    private static var capacityFrames: Int { @_noLocks get { 32_768 } }

    let channelCount: Int
    private let samples: Buffer<Float>
    private let written = Atomic<Int>(0)
    private let read = Atomic<Int>(0)
    private let state = Atomic<Int>(Phase.none.rawValue)

    init(channelCount: Int) {
        self.channelCount = max(1, channelCount)
        samples = Buffer(count: self.channelCount * Self.capacityFrames, repeating: 0)
    }

    /// The bytes of an exchange.
    static func byteCount(channelCount: Int) -> Int { 4 * max(1, channelCount) * capacityFrames }

    /// The state of the current save.
    var phase: Phase {
        @_noLocks get { Phase(rawValue: state.load(ordering: .acquiring)) ?? .none }
    }

    // MARK: The audio thread

    /// The number of frames that can be stored.
    var freeFrames: Int {
        @_noLocks get {
            Self.capacityFrames - written.load(ordering: .relaxed)
                + read.load(ordering: .acquiring)
        }
    }

    /// Begins a save; no other save may be running.
    @_noLocks
    func begin() { state.store(Phase.running.rawValue, ordering: .releasing) }

    /// Stores a sample of the next frame to add.
    @_noLocks
    func put(_ sample: Float, _ channel: Int, after count: Int) {
        let frame = (written.load(ordering: .relaxed) + count) & (Self.capacityFrames - 1)
        samples[frame * channelCount + channel] = sample
    }

    /// Adds stored frames.
    @_noLocks
    func add(_ count: Int) {
        written.store(written.load(ordering: .relaxed) + count, ordering: .releasing)
    }

    /// Completes the save, or gives it up.
    @_noLocks
    func end(isComplete: Bool) {
        state.store(
            isComplete ? Phase.complete.rawValue : Phase.givenUp.rawValue, ordering: .releasing)
    }

    // MARK: The writer

    /// Passes the stored frames to a function, in at most two pieces, and frees them.
    func drain(_ body: (UnsafePointer<Float>, Int) -> Void) {
        let end = written.load(ordering: .acquiring)
        var frame = read.load(ordering: .relaxed)
        while frame < end {
            let index = frame & (Self.capacityFrames - 1)
            let count = min(end - frame, Self.capacityFrames - index)
            body(samples.start + index * channelCount, count)
            frame += count
        }
        read.store(frame, ordering: .releasing)
    }

    /// Allows the next save.
    func close() { state.store(Phase.none.rawValue, ordering: .releasing) }
}
