internal import CRealtime
internal import Processing

/// A stream of the network that pages are read of, one after the other.
///
/// It is opened when the first page is asked for.
final class StreamItem: PageSource {
    private let open: () -> any StreamingSource
    private var source: (any StreamingSource)?
    private let piece: UnsafeMutablePointer<Float>
    /// The page that comes next, and how much of it is there.
    private var page = 0
    private var filledFrames = 0
    /// Where that is.
    private var place: UnsafeMutablePointer<Float>?

    private static let pieceFrames = 1024

    /// A stream that nobody has asked for so far.
    ///
    /// - Parameters:
    ///   - channels: That it gives.
    ///   - open: Begins to fetch it.
    init(channels: Int, open: @escaping () -> any StreamingSource) {
        self.open = open
        piece = .allocate(capacity: Self.pieceFrames * channels)
    }

    deinit {
        source?.close()
        piece.deallocate()
    }

    var knownFrames: Int { source?.frameCount ?? 0 }

    /// It is one connection, which stays.
    func close() {}

    func read(
        page wanted: Int, channels: Int, into samples: UnsafeMutablePointer<Float>,
        incidents: IncidentLog
    ) -> PageRead {
        let source = opened()
        if wanted != page || filledFrames > 0 && place != samples {
            // What has no end has no other places, which is known once it has begun.
            guard source.frameCount != nil || hasGivenNothing else {
                return ending(at: 0, channels, samples)
            }
            source.seek(to: wanted * PageLength.frames)
            (page, filledFrames) = (wanted, 0)
        }
        place = samples
        let read = fill(source, channels, samples)
        tell(source, incidents)
        return read
    }

    private var hasGivenNothing: Bool { page == 0 && filledFrames == 0 }

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
            switch source.read(min(Self.pieceFrames, frames - filledFrames), into: piece) {
            case .frames(let count):
                fit(
                    piece, from: source.channels, to: channels, count, into: samples + filledFrames,
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
            let place = samples + channel * PageLength.frames
            rt_clear(place + count, Int64(PageLength.frames - count))
        }
        return .last(count)
    }

    private func tell(_ source: any StreamingSource, _ incidents: IncidentLog) {
        while let notice = source.nextNotice() {
            switch notice {
            case .title(let title): incidents.add(.title(title))
            case .buffering(let share): incidents.add(.buffering(share))
            case .playing: incidents.add(.playing)
            case .reconnecting(let attempt, let reason):
                incidents.add(.reconnecting(attempt: attempt, reason: reason))
            // That the player came to its end is told once it is heard.
            case .ended: continue
            case .failed(let reason): incidents.add(.silenced(reason: reason))
            }
        }
    }
}
