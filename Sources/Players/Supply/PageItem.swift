internal import CRealtime
internal import Processing
internal import SoundFiles

/// A sound that is read in pages; not on the audio thread.
///
/// Only the thread that serves a player's requests uses a source, after another thread has made it.
protocol PageSource: AnyObject, Sendable {
    /// Reads a page, and fills its missing frames with silence.
    ///
    /// - Parameters:
    ///   - page: The number of the page, from 0.
    ///   - channels: The number of channels.
    ///   - samples: Room for a page of each channel, one channel after the other.
    ///   - incidents: Receives errors and other events.
    /// - Returns: The number of frames read, or that the page is not complete yet.
    func read(
        page: Int, channels: Int, into samples: UnsafeMutablePointer<Float>,
        incidents: IncidentLog
    ) -> PageRead

    /// The length in frames if the source has learned it only now; otherwise 0.
    var knownFrames: Int { get }

    /// Closes the file until the next read.
    func close()
}

/// The result of reading a page.
enum PageRead {
    /// The number of frames read.
    case frames(Int)
    /// The sound ends in this page, after this number of frames.
    case last(Int)
    /// The page is not complete yet; request the same page again.
    case waiting
}

/// A sound file that is read in pages.
final class PageItem: PageSource, @unchecked Sendable {
    // SAFETY: one thread uses the source, as `PageSource` requires.
    private let region: ItemRegion
    private let opener: SoundOpener
    private var source: ItemSource?
    /// Whether the last read failed, so that the error is reported once.
    private var hasFailed = false

    /// Creates an item; its file is opened at the first read.
    init(_ region: ItemRegion, opener: SoundOpener, source: ItemSource? = nil) {
        self.region = region
        self.opener = opener
        self.source = source
    }

    func close() { source = nil }

    /// Always 0: the length is known from the start.
    var knownFrames: Int { 0 }

    func read(
        page: Int, channels: Int, into samples: UnsafeMutablePointer<Float>,
        incidents: IncidentLog
    ) -> PageRead {
        let frames = PageLength.frames
        var count = 0
        do throws(SoundFileError) {
            let source = try opened()
            count = try source.read(
                from: page * frames, count: frames, channels: channels, into: samples,
                stride: frames)
            hasFailed = false
        } catch {
            if !hasFailed { incidents.add(.silenced(reason: "\(error)")) }
            hasFailed = true
            source = nil
        }
        for channel in 0..<channels {
            rt_clear(samples + channel * frames + count, Int64(frames - count))
        }
        return .frames(count)
    }

    private func opened() throws(SoundFileError) -> ItemSource {
        if let source { return source }
        let opened = try ItemSource(region, opener: opener)
        source = opened
        return opened
    }
}
