internal import CRealtime
internal import Glibc
internal import Processing
internal import Realtime
internal import SoundFiles

/// The parts of a player in addition to its kernel; they live as long as the processor.
final class PlayerParts {
    private let reader: PageReader
    /// Keeps the clips alive for the kernel, which only has their addresses.
    private let clips: [Clip]
    private let incidents = IncidentLog()
    private let request: ProcessorRequest
    private let traits: PlayerTraits
    private let settings: PlayerSettings
    private let items: [PlaylistSound]

    /// Opens the files, and loads the short ones into memory.
    ///
    /// - Parameters:
    ///   - request: The format, settings and parameters of the player.
    ///   - opener: Opens sound files.
    ///   - streams: Opens network streams.
    /// - Throws: `PluginError` if a file cannot be read or there is no memory for it.
    init(
        _ request: ProcessorRequest, opener: SoundOpener, streams: StreamOpener
    ) throws(PluginError) {
        self.request = request
        settings = PlayerSettings(request.settings)
        let format = request.format
        var (items, clips, sources) = ([PlaylistSound](), [Clip](), [any PageSource]())
        for item in settings.items {
            let region = settings.region(of: item, request)
            let source = try Self.source(region, opener)
            let clip =
                settings.holdsClip(frameCount: source.frameCount, format)
                ? try Self.clip(of: region, source) : nil
            if let clip { clips.append(clip) }
            items.append(
                PlaylistSound(
                    frameCount: clip?.frameCount ?? source.frameCount,
                    gain: Float(Decibels(item.gain).amplitude),
                    clip: clip.map { UnsafePointer($0.samples) }))
            // In a long list, keep only the first files open.
            sources.append(
                PageItem(
                    region, opener: opener,
                    source: clip == nil && sources.count < 2 ? source : nil))
        }
        if let url = settings.url {
            let channels = request.outputChannels
            items = [PlaylistSound(frameCount: .max, gain: 1, clip: nil, isStream: true)]
            sources = [
                StreamItem(channels: channels) { [format] in streams.open(url, format, channels) }
            ]
        }
        guard !items.isEmpty else { throw PluginError("there is no file to play") }
        self.items = items
        self.clips = clips
        traits = settings.traits(request)
        let isStreaming = items.contains { $0.clip == nil }
        reader = try PageReader(
            items: sources, channels: request.outputChannels,
            slotCount: isStreaming ? traits.slotCount : 0, incidents: incidents)
    }

    private static func source(
        _ region: ItemRegion, _ opener: SoundOpener
    ) throws(PluginError) -> ItemSource {
        do throws(SoundFileError) {
            return try ItemSource(region, opener: opener)
        } catch {
            throw PluginError("\(error)")
        }
    }

    private static func clip(
        of region: ItemRegion, _ source: ItemSource
    ) throws(PluginError) -> Clip {
        do throws(ClipError) {
            return try ClipCache.shared.clip(of: region, source)
        } catch {
            switch error {
            case .file(let error): throw PluginError("\(error)")
            case .memory(let bytes): throw .noMemory(forBytes: bytes)
            }
        }
    }

    deinit { reader.end() }

    /// Creates the processor, which owns these parts.
    func processor() -> Processor {
        let playlist = Playlist(
            items: items, reader: reader, channels: traits.channels, isLive: traits.isLive,
            crossfadeFrames: Int((settings.crossfadeSeconds * traits.sampleRate).rounded()),
            loopCount: settings.loops, hasCues: settings.polyphony > 1)
        let kernel = PlayerKernel(traits, values: PlayerValues(request), playlist: playlist)
        let reports = UnsafePointer(kernel.reports.start)
        if traits.isLive { reader.start() }
        let usesMIDIOrTransport = traits.isSynced || traits.startPoint != .now
        return Processor(
            kernel, owner: self, inputCount: 0, outputCount: traits.channels, reports: reports,
            usesMIDIOrTransport: usesMIDIOrTransport, incidents: incidents)
    }
}

extension PlayerSettings {
    /// Returns the part of a file that is played.
    func region(of item: PlaylistItem, _ request: ProcessorRequest) -> ItemRegion {
        let sampleRate = request.format.sampleRate
        return ItemRegion(
            path: item.path, sampleRate: sampleRate, channels: request.outputChannels,
            startFrame: Int((startSeconds * sampleRate).rounded()),
            endFrame: endSeconds.map { Int(($0 * sampleRate).rounded()) })
    }

    func traits(_ request: ProcessorRequest) -> PlayerTraits {
        let format = request.format
        let ahead = aheadSeconds * format.sampleRate / Double(PageLength.frames)
        return PlayerTraits(
            sampleRate: format.sampleRate, channels: request.outputChannels,
            isLive: format.isLive, polyphony: polyphony,
            fadeInFrames: Int(fadeInSeconds * format.sampleRate), isSynced: isSynced,
            startPoint: startPoint, restarts: restarts, shuffleSeed: shuffleSeed(format),
            aheadPages: max(3, Int(ahead.rounded(.up))))
    }

    /// Returns the seed of the playing order: a new one at each live start, a fixed one offline.
    private func shuffleSeed(_ format: AudioFormat) -> UInt64 {
        guard shuffles else { return 0 }
        return format.isLive ? max(1, UInt64(rt_ticks())) : 1
    }
}

extension PlayerTraits {
    /// The number of page slots: pages ahead, pages of a fading voice, and beginnings of possible
    /// starts.
    var slotCount: Int { isLive ? aheadPages + 12 : 12 }
}

extension PlayerValues {
    /// The values at the start.
    init(_ request: ProcessorRequest) {
        gain = Double(request[PlayerKernel.Parameter.gain])
        rate = Double(request[PlayerKernel.Parameter.rate])
        semitones = request[PlayerKernel.Parameter.semitones]
        isPlaying = request[PlayerKernel.Parameter.playing] >= 0.5
        isLooping = request[PlayerKernel.Parameter.loop] >= 0.5
        positionSeconds = Double(request[PlayerKernel.Parameter.position])
        item = Int(request[PlayerKernel.Parameter.item])
    }
}
