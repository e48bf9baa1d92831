internal import Synchronization
internal import Platform

/// Sound from a network address, fetched by a child process `ffmpeg`.
///
/// A separate thread starts the child, reads its sound and its log, and reconnects if necessary.
/// All functions can be called from any thread.
public final class NetworkSource: StreamingSource, Sendable {
    /// The number of channels per frame.
    public let channels: Int
    private let exchange: StreamExchange
    private let thread: OwnThread?
    private let isClosed = Atomic(false)

    /// Starts to fetch.
    ///
    /// - Parameters:
    ///   - url: The address of the sound.
    ///   - format: The sample rate and the channels to deliver.
    ///   - limits: The time limits and the size of the buffer.
    ///   - reach: The hosts that may be contacted.
    public init(
        _ url: NetworkURL, format: StreamFormat, limits: StreamLimits = StreamLimits(),
        reach: HostPermissions = .publicHosts
    ) {
        let exchange = StreamExchange(format: format, limits: limits)
        self.exchange = exchange
        channels = format.channels
        guard StreamFormat.allowedChannels.contains(format.channels) else {
            exchange.update {
                $0.finish(.failed("a stream has 1 to 8 channels, not \(format.channels)"))
            }
            thread = nil
            return
        }
        thread = OwnThread(name: "stream") {
            StreamFetcher(
                url, format: format, limits: limits, reach: reach, exchange: exchange
            ).run()
        }
        if thread == nil {
            exchange.update { $0.finish(.failed("cannot start a thread for the stream")) }
        }
    }

    deinit { close() }

    /// The total number of frames once it is known; otherwise `nil`.
    ///
    /// It is accurate to a hundredth of a second until the end has arrived, and exact after that.
    public var frameCount: Int? { exchange.frameCount }

    /// Reads the available frames without waiting.
    ///
    /// - Parameters:
    ///   - frames: The largest number of frames to read.
    ///   - samples: Room for `frames` times `channels` samples, interleaved.
    /// - Returns: The number of frames read, or the reason why none can be read.
    public func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) -> StreamRead {
        exchange.read(frames, into: samples)
    }

    /// Continues from a frame once the sound is known to have an end; otherwise has no effect.
    ///
    /// - Parameter frame: The frame; a frame after the last one means the end.
    public func seek(to frame: Int) {
        if !isClosed.load(ordering: .acquiring) { exchange.seek(to: max(0, frame)) }
    }

    /// Returns the oldest notice that has not been returned yet; a title is due once its sound has
    /// been read.
    public func nextNotice() -> StreamNotice? { exchange.nextNotice() }

    /// Ends the child and the thread, and waits for that for a few milliseconds.
    public func close() {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        exchange.close()
        thread?.join()
    }
}
