/// Sound that comes when it comes, at the graph's rate and with a fixed number of channels.
public protocol StreamingSource: AnyObject {
    /// Channels of each frame.
    var channels: Int { get }
    /// Frames in all, where that is known (then it is seekable); nil for what has no end.
    var frameCount: Int? { get }

    /// Takes what is there, without waiting longer than some milliseconds.
    ///
    /// - Parameters:
    ///   - frames: How many are wanted.
    ///   - samples: Room for `frames` times `channels`, channel beside channel.
    /// - Returns: How many there were, or why there were none.
    func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) -> StreamRead

    /// Goes on from a frame; only where the length is known.
    func seek(to frame: Int)

    /// What happened since the last call: titles, buffering, reconnecting, the end; oldest first.
    func nextNotice() -> StreamNotice?

    /// Ends it, with all it has.
    func close()
}

/// What reading from a stream came to.
public enum StreamRead: Sendable, Equatable {
    /// So many frames were there.
    case frames(Int)
    /// None are there yet.
    case waiting
    /// There will be none any more: it is over.
    case ended
    /// There will be none any more, with the reason.
    case failed(String)
}

/// What happened to a stream.
public enum StreamNotice: Sendable, Equatable {
    /// Another title plays.
    case title(String)
    /// It waits for sound, and has so much of what it needs, from 0 through 1.
    case buffering(Double)
    /// It plays on.
    case playing
    /// Its connection was lost, with the reason; it is made anew for the so-manieth time.
    case reconnecting(attempt: Int, reason: String)
    /// It is over.
    case ended
    /// It gives no sound any more, with the reason.
    case failed(String)
}
