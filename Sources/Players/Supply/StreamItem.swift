internal import CRealtime
internal import Processing
internal import Realtime

/// A network stream that is read page by page, in order.
///
/// The stream opens when its first page is requested.
final class StreamItem: PageSource, @unchecked Sendable {
    // SAFETY: one thread uses the source, as `PageSource` requires.
    private let open: () -> any StreamingSource
    private var source: (any StreamingSource)?
    private let piece: Buffer<Float>
    /// The number of the next page, and the number of frames that it already has.
    private var page = 0
    private var filledFrames = 0
    /// The memory of the page that is being filled.
    private var pointer: UnsafeMutablePointer<Float>?

    private static let pieceFrames = 1024

    /// Creates an item whose stream is not open yet.
    ///
    /// - Parameters:
    ///   - channels: The channels of the stream.
    ///   - open: Starts to fetch the stream.
    init(channels: Int, open: @escaping () -> any StreamingSource) {
        self.open = open
        piece = Buffer(count: Self.pieceFrames * channels, repeating: 0)
    }

    deinit { source?.close() }

    var knownFrames: Int { source?.frameCount ?? 0 }

    /// Does nothing: the stream keeps its one connection.
    func close() {}

    func read(
        page wanted: Int, channels: Int, into samples: UnsafeMutablePointer<Float>,
        incidents: IncidentLog
    ) -> PageRead {
        let source = opened()
        if wanted != page || filledFrames > 0 && pointer != samples {
            // Only a stream of known length can seek, and the length is not known before the first
            // frames.
            guard source.frameCount != nil || hasDeliveredNothing else {
                return ending(at: 0, channels, samples)
            }
            source.seek(to: wanted * PageLength.frames)
            (page, filledFrames) = (wanted, 0)
        }
        pointer = samples
        let read = fill(source, channels, samples)
        report(source, incidents)
        return read
    }

    private var hasDeliveredNothing: Bool { page == 0 && filledFrames == 0 }

    private func opened() -> any StreamingSource {
        if let source { return source }
        let opened = open()
        source = opened
        return opened
    }

    private func fill(
        _ source: any StreamingSource, _ channels: Int, _ samples: UnsafeMutablePointer<Float>
    ) -> PageRead {
        let frames = PageLength.frames
        while filledFrames < frames {
            switch source.read(min(Self.pieceFrames, frames - filledFrames), into: piece.start) {
            case .frames(let count):
                fit(
                    piece.start, from: source.channels, to: channels, count,
                    into: samples + filledFrames,
                    frames)
                filledFrames += count
            case .waiting: return .waiting
            case .ended, .failed: return ending(at: filledFrames, channels, samples)
            }
        }
        page += 1
        filledFrames = 0
        return .frames(frames)
    }

    private func ending(
        at count: Int, _ channels: Int, _ samples: UnsafeMutablePointer<Float>
    ) -> PageRead {
        for channel in 0..<channels {
            let pointer = samples + channel * PageLength.frames
            rt_clear(pointer + count, Int64(PageLength.frames - count))
        }
        return .last(count)
    }

    private func report(_ source: any StreamingSource, _ incidents: IncidentLog) {
        while let notice = source.nextNotice() {
            switch notice {
            case .title(let title): incidents.add(.title(title))
            case .buffering(let share): incidents.add(.buffering(share))
            case .playing: incidents.add(.playing)
            case .reconnecting(let attempt, let reason):
                incidents.add(.reconnecting(attempt: attempt, reason: reason))
            // The player reports the end when it becomes audible.
            case .ended: continue
            case .failed(let reason): incidents.add(.silenced(reason: reason))
            }
        }
    }
}
