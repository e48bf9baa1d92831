internal import CRealtime
internal import Processing
internal import SoundFiles

/// One sound that pages are read of; never on the audio thread.
protocol PageSource: AnyObject {
    /// Reads a page; what is missing of it is silence.
    ///
    /// - Parameters:
    ///   - page: Which one, from 0.
    ///   - channels: How many channels are wanted.
    ///   - samples: Room for a page of each, one behind the other.
    ///   - incidents: Where it tells what befalls it.
    /// - Returns: How much of it was there.
    func read(
        page: Int, channels: Int, into samples: UnsafeMutablePointer<Float>,
        incidents: IncidentLog
    ) -> PageRead

    /// Frames in all, as far as that is only known now; 0 where it is not.
    var knownFrames: Int { get }

    /// Lets go of its file until it is read again.
    func close()
}

/// What reading a page came to.
enum PageRead {
    /// So many frames were there.
    case frames(Int)
    /// It ends here, behind so many frames.
    case last(Int)
    /// It is not all there yet: the same is to be asked again.
    case waiting
}

/// A sound file that pages are read of.
final class PageItem: PageSource {
    private let region: ItemRegion
    private let opener: SoundOpener
    private var source: ItemSource?
    /// Whether it failed, which is told once.
    private var hasFailed = false

    /// A sound; its file is opened when it is read.
    init(_ region: ItemRegion, opener: SoundOpener, source: ItemSource? = nil) {
        self.region = region
        self.opener = opener
        self.source = source
    }

    func close() { source = nil }

    /// Its length was known from the beginning.
    var knownFrames: Int { 0 }

    func read(
        page: Int, channels: Int, into samples: UnsafeMutablePointer<Float>,
        incidents: IncidentLog
    ) -> PageRead {
        let frames = PageLength.frames
        var count = 0
        do throws(SoundFileFault) {
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

    private func opened() throws(SoundFileFault) -> ItemSource {
        if let source { return source }
        let opened = try ItemSource(region, opener: opener)
        source = opened
        return opened
    }
}
