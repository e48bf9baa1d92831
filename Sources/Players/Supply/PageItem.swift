internal import CRealtime
internal import Processing
internal import SoundFiles

/// One sound that pages are read of.
final class PageItem {
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

    /// Closes its file until it is read again.
    func close() { source = nil }

    /// Reads a page; what is missing of it is silence.
    ///
    /// - Parameters:
    ///   - page: Which one, from 0.
    ///   - channels: How many channels are wanted.
    ///   - samples: Room for a page of each.
    ///   - incidents: Where a fault is told.
    /// - Returns: How many frames were there.
    func read(
        page: Int, channels: Int, into samples: UnsafeMutablePointer<Float>,
        incidents: IncidentLog
    ) -> Int {
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
        return count
    }

    private func opened() throws(SoundFileFault) -> ItemSource {
        if let source { return source }
        let opened = try ItemSource(region, opener: opener)
        source = opened
        return opened
    }
}
