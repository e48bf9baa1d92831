public import Processing

/// Starts to fetch streams; tests substitute their own.
public struct StreamOpener: Sendable {
    /// Starts to fetch an address in a format, with a number of channels.
    public var open: @Sendable (String, AudioFormat, Int) -> any StreamingSource

    /// Creates an opener with a custom function.
    public init(_ open: @escaping @Sendable (String, AudioFormat, Int) -> any StreamingSource) {
        self.open = open
    }

    /// Opens network streams.
    ///
    /// - Parameter reach: The hosts that may be contacted.
    /// - Returns: The opener.
    public static func network(reach: HostPermissions = .publicHosts) -> StreamOpener {
        StreamOpener { url, audio, channels in
            do throws(NetworkURLError) {
                let format = StreamFormat(
                    sampleRate: Int(audio.sampleRate.rounded()), channels: channels)
                return NetworkSource(
                    try NetworkURL(url), format: format,
                    limits: audio.isLive ? StreamLimits() : .offline, reach: reach)
            } catch {
                return FailedStream(channels: channels, reason: "\(error)")
            }
        }
    }
}

/// A stream that could not be opened.
final class FailedStream: StreamingSource {
    let channels: Int
    var frameCount: Int? { nil }
    private var reason: String?

    init(channels: Int, reason: String) {
        self.channels = channels
        self.reason = reason
    }

    func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) -> StreamRead {
        .failed(reason ?? "the stream failed")
    }

    func seek(to frame: Int) {}

    func nextNotice() -> StreamNotice? {
        defer { reason = nil }
        return reason.map { .failed($0) }
    }

    func close() {}
}
