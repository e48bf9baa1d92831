/// A source whose sound arrives over time, at the graph's rate, with a fixed number of channels.
public protocol StreamingSource: AnyObject {
    /// The number of channels per frame.
    var channels: Int { get }
    /// The total number of frames if it is known (the source can then seek); otherwise `nil`.
    var frameCount: Int? { get }

    /// Reads the available frames without waiting longer than a few milliseconds.
    ///
    /// - Parameters:
    ///   - frames: The largest number of frames to read.
    ///   - samples: Room for `frames` times `channels` samples, interleaved.
    /// - Returns: The number of frames read, or the reason why none can be read.
    func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) -> StreamRead

    /// Continues from a frame; has an effect only if the length is known.
    func seek(to frame: Int)

    /// Returns the oldest notice that has not been returned yet: a title, buffering, the end, ….
    func nextNotice() -> StreamNotice?

    /// Closes the source and frees its resources.
    func close()
}

/// The result of reading from a stream.
public enum StreamRead: Sendable, Equatable {
    /// The number of frames read.
    case frames(Int)
    /// No frames are available yet.
    case waiting
    /// The stream has ended; no more frames follow.
    case ended
    /// The stream has failed with this reason; no more frames follow.
    case failed(String)
}

/// An event of a stream.
public enum StreamNotice: Sendable, Equatable {
    /// A new title has started.
    case title(String)
    /// The stream waits for sound; the value is the filled share of the buffer, from 0 through 1.
    case buffering(Double)
    /// The stream plays again.
    case playing
    /// The connection was lost for `reason`; `attempt` counts the reconnections.
    case reconnecting(attempt: Int, reason: String)
    /// The stream has ended.
    case ended
    /// The stream has failed with this reason and delivers no more sound.
    case failed(String)
}
