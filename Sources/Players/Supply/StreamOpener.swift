public import Processing

/// How a stream is begun; tests have other ways.
public struct StreamOpener: Sendable {
    /// Begins to fetch an address in a format, with so many channels.
    public var open: @Sendable (String, AudioFormat, Int) -> any StreamingSource

    /// Begins streams in a way of its own.
    public init(_ open: @escaping @Sendable (String, AudioFormat, Int) -> any StreamingSource) {
        self.open = open
    }

    /// Streams of the network.
    public static let network = StreamOpener { url, audio, channels in
        do throws(NetworkURLFault) {
            let format = StreamFormat(
                sampleRate: Int(audio.sampleRate.rounded()), channels: channels)
            return NetworkSource(
                try NetworkURL(url), format: format,
                patience: audio.isLive ? StreamPatience() : .offline)
        } catch {
            return FailedStream(channels: channels, reason: "\(error)")
        }
    }
}

/// A stream that cannot be.
final class FailedStream: StreamingSource {
    let channels: Int
    var frameCount: Int? { nil }
    private var reason: String?

    init(channels: Int, reason: String) {
        self.channels = channels
        self.reason = reason
    }

    func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) -> StreamRead {
        .failed(reason ?? "it failed")
    }

    func seek(to frame: Int) {}

    func nextNotice() -> StreamNotice? {
        defer { reason = nil }
        return reason.map { .failed($0) }
    }

    func close() {}
}
