internal import CRealtime
internal import Glibc
internal import Processing
internal import Realtime
internal import SoundFiles

/// The parts of a player in addition to its kernel; they live as long as the processor.
final class PlayerParts {
    private let reader: PageReader
    /// Keeps the files alive for the kernel, which only has the addresses of their samples.
    private let files: PlaylistFiles
    /// Changes the list of files; `nil` for a stream.
    private let editor: PlaylistEditor?
    private let incidents = IncidentLog()
    private let request: ProcessorRequest
    private let arrivals: ArrivalLog
    private let traits: PlayerTraits
    private let settings: PlayerSettings

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
        let settings = PlayerSettings(request.settings)
        self.settings = settings
        let format = request.format
        var list: [PlaylistFile] = []
        for item in settings.items {
            // In a long list, keep only the first files open.
            list.append(
                try PlaylistFile(
                    settings.key(of: item, request), opener: opener,
                    isClip: { settings.holdsClip(frameCount: $0, format) },
                    keepsOpen: list.count < 2))
        }
        if let url = settings.url {
            let channels = request.outputChannels
            let stream = StreamItem(channels: channels) { [format] in
                streams.open(url, format, channels)
            }
            let key = settings.key(of: PlaylistItem(path: url), request)
            list = [PlaylistFile(stream: stream, key: key)]
        }
        guard !list.isEmpty else { throw PluginError("there is no file to play") }
        traits = settings.traits(request)
        arrivals = ArrivalLog(seed: settings.shuffleSeed(request))
        files = PlaylistFiles(list, shuffleSeed: arrivals.seed)
        let isStreaming = list.contains { $0.sound.clip == nil }
        reader = try PageReader(
            files, channels: request.outputChannels, isReplay: format.isReplay,
            slotCount: isStreaming ? traits.slotCount : 0, incidents: incidents)
        editor =
            settings.url == nil
            ? PlaylistEditor(files, opener: opener, hasPages: isStreaming) : nil
    }

    deinit { reader.end() }

    /// Creates the processor, which owns these parts.
    func processor() -> Processor {
        let playlist = Playlist(
            files, reader: reader, arrivals: arrivals.notes, channels: traits.channels,
            isLive: traits.isLive,
            crossfadeFrames: Int((settings.crossfadeSeconds * traits.sampleRate).rounded()),
            loopCount: settings.loops, hasCues: settings.polyphony > 1)
        let kernel = PlayerKernel(traits, values: PlayerValues(request), playlist: playlist)
        let reports = UnsafePointer(kernel.reports.start)
        let endCount = UnsafePointer(kernel.endCount.start)
        if request.format.isLive { reader.start() }
        let usesMIDIOrTransport = traits.isSynced || traits.startPoint != .now
        return Processor(
            kernel, owner: self, inputCount: 0, outputCount: traits.channels, reports: reports,
            reportTexts: reportTexts, usesMIDIOrTransport: usesMIDIOrTransport,
            endCount: endCount, incidents: incidents, settingsFollower: editor,
            arrivals: arrivals)
    }

    /// Returns the path of the current file; empty for a stream, and for a file that is no longer
    /// in the list.
    private var reportTexts: Processor.ReportTexts {
        let files = settings.url == nil ? files : nil
        return { values in
            let number = values.indices.contains(Player.itemReport) ? values[Player.itemReport] : 0
            return [Int(exactly: number).flatMap { files?.path(ofItem: $0) } ?? ""]
        }
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

    /// Returns the key by which a file of the list is recognised in another list.
    func key(of item: PlaylistItem, _ request: ProcessorRequest) -> PlaylistKey {
        PlaylistKey(region(of: item, request), gainDecibels: item.gain)
    }

    func traits(_ request: ProcessorRequest) -> PlayerTraits {
        let format = request.format
        let ahead = aheadSeconds * format.sampleRate / Double(PageLength.frames)
        return PlayerTraits(
            sampleRate: format.sampleRate, channels: request.outputChannels,
            isLive: format.mayLackData, polyphony: polyphony,
            fadeInFrames: Int(fadeInSeconds * format.sampleRate),
            fadeOutFrames: Int(fadeOutSeconds * format.sampleRate), isSynced: isSynced,
            startPoint: startPoint, restarts: restarts,
            aheadPages: max(3, Int(ahead.rounded(.up))))
    }

    /// Returns the seed of the playing order: a new one at each live start, a fixed one offline, and
    /// the same one in a replay.
    func shuffleSeed(_ request: ProcessorRequest) -> UInt64 {
        guard shuffles else { return 0 }
        return max(1, request.seed ?? (request.format.isLive ? UInt64(rt_ticks()) : 1))
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
