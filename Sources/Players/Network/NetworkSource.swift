internal import Synchronization
internal import Threads

/// Sound of an address on the network, fetched by a child process `ffmpeg`.
///
/// A thread of its own starts the child, takes its sound and its log, and connects anew where it has to. All functions may
/// be called from any thread.
public final class NetworkSource: StreamingSource, Sendable {
    /// Channels of each frame.
    public let channels: Int
    private let exchange: StreamExchange
    private let thread: OwnThread?
    private let isClosed = Atomic(false)

    /// Begins to fetch.
    ///
    /// - Parameters:
    ///   - url: Where the sound comes from.
    ///   - format: The form that it is wanted in.
    ///   - patience: How long it is waited for, and how much of it is kept.
    public init(
        _ url: NetworkURL, format: StreamFormat, patience: StreamPatience = StreamPatience()
    ) {
        let exchange = StreamExchange(format: format, patience: patience)
        self.exchange = exchange
        channels = format.channels
        guard StreamFormat.allowedChannels.contains(format.channels) else {
            exchange.update {
                $0.finish(.failed("a stream gives 1 to 8 channels, not \(format.channels)"))
            }
            thread = nil
            return
        }
        thread = OwnThread(name: "stream") {
            StreamFetcher(url, format: format, patience: patience, exchange: exchange).run()
        }
        if thread == nil {
            exchange.update { $0.finish(.failed("the system has no thread left for it")) }
        }
    }

    deinit { close() }

    /// Frames in all, once the sound has told: to a hundredth of a second until its end has come, then exactly.
    public var frameCount: Int? { exchange.frameCount }

    /// Takes what is there, without waiting.
    ///
    /// - Parameters:
    ///   - frames: How many are wanted.
    ///   - samples: Room for `frames` times `channels`, channel beside channel.
    /// - Returns: How many there were, or why there were none.
    public func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) -> StreamRead {
        exchange.read(frames, into: samples)
    }

    /// Goes on from a frame, as soon as it is known that the sound has an end; without effect where it has none.
    ///
    /// - Parameter frame: The frame; beyond the last one is the end.
    public func seek(to frame: Int) {
        if !isClosed.load(ordering: .acquiring) { exchange.seek(to: max(0, frame)) }
    }

    /// What happened since the last call, oldest first; titles come when their sound has been read.
    public func nextNotice() -> StreamNotice? { exchange.nextNotice() }

    /// Ends the child and the thread, and waits for that: some milliseconds.
    public func close() {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        exchange.close()
        thread?.join()
    }
}
