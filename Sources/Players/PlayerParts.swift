internal import CRealtime
internal import Glibc
internal import Processing
internal import Realtime
internal import SoundFiles

/// What a player consists of beside its kernel; it lives as long as the processor.
final class PlayerParts {
    private let reader: PageReader
    /// Held for the kernel, which knows their addresses alone.
    private let clips: [Clip]
    private let incidents = IncidentLog()
    private let request: ProcessorRequest
    private let traits: PlayerTraits
    private let settings: PlayerSettings
    private let items: [ReelItem]

    /// Opens the files, and reads those that are held in memory.
    ///
    /// - Parameters:
    ///   - request: What the player is made for.
    ///   - opener: How files are opened.
    ///   - streams: How streams are.
    /// - Throws: `PluginFault` where a file can't be read.
    init(
        _ request: ProcessorRequest, opener: SoundOpener, streams: StreamOpener
    ) throws(PluginFault) {
        self.request = request
        settings = PlayerSettings(request.settings)
        let format = request.format
        var (items, clips, sources) = ([ReelItem](), [Clip](), [any PageSource]())
        let longestClip =
            settings.longestClipSeconds(isLive: format.isLive) * format.sampleRate
        do throws(SoundFileFault) {
            for item in settings.items {
                let region = settings.region(of: item, request)
                let source = try ItemSource(region, opener: opener)
                let isShort = Double(source.frameCount) <= longestClip
                let clip =
                    isShort || settings.polyphony > 1
                    ? try ClipShelf.shared.clip(of: region, source) : nil
                if let clip { clips.append(clip) }
                items.append(
                    ReelItem(
                        frameCount: clip?.frameCount ?? source.frameCount,
                        gain: Float(Decibels(item.gain).amplitude),
                        clip: clip.map { UnsafePointer($0.samples) }))
                // Of a long list, only what is played next is kept open.
                sources.append(
                    PageItem(
                        region, opener: opener,
                        source: clip == nil && sources.count < 2 ? source : nil))
            }
        } catch {
            throw PluginFault("\(error)")
        }
        if let url = settings.url {
            let channels = request.outputChannels
            items = [ReelItem(frameCount: .max, gain: 1, clip: nil, isStream: true)]
            sources = [
                StreamItem(channels: channels) { [format] in streams.open(url, format, channels) }
            ]
        }
        guard !items.isEmpty else { throw PluginFault("there is no file to play") }
        self.items = items
        self.clips = clips
        traits = settings.traits(request)
        let isStreaming = items.contains { $0.clip == nil }
        reader = PageReader(
            items: sources, channels: request.outputChannels,
            slotCount: isStreaming ? traits.slotCount : 0, incidents: incidents)
    }

    deinit { reader.end() }

    /// The processor, which holds all of this.
    func processor() -> Processor {
        let reel = Reel(
            items: items, reader: reader, channels: traits.channels, isLive: traits.isLive,
            crossfadeFrames: Int((settings.crossfadeSeconds * traits.sampleRate).rounded()),
            loopCount: settings.loops, hasCues: settings.polyphony > 1)
        let kernel = PlayerKernel(traits, values: PlayerValues(request.parameters), reel: reel)
        let reports = UnsafePointer(kernel.reports)
        if traits.isLive { reader.start() }
        let playsInTime = traits.isSynced || traits.startPoint != .now
        return Processor(
            state: allocate(kernel),
            run: { $0.assumingMemoryBound(to: PlayerKernel.self).pointee.run($1) },
            set: { $0.assumingMemoryBound(to: PlayerKernel.self).pointee.set($1, to: $2) },
            reset: { $0.assumingMemoryBound(to: PlayerKernel.self).pointee.reset() },
            free: {
                let kernel = $0.assumingMemoryBound(to: PlayerKernel.self)
                kernel.deinitialize(count: 1)
                kernel.deallocate()
            },
            owner: self, inputCount: 0, outputCount: traits.channels, latencyFrames: 0,
            tailFrames: 0, isSplittable: true, reports: reports, playsInTime: playsInTime,
            incidents: incidents)
    }

    private func allocate(_ kernel: consuming PlayerKernel) -> UnsafeMutableRawPointer {
        let place = UnsafeMutablePointer<PlayerKernel>.allocate(capacity: 1)
        place.initialize(to: kernel)
        return UnsafeMutableRawPointer(place)
    }
}

extension PlayerSettings {
    /// The part of a file that is played.
    fileprivate func region(of item: PlaylistItem, _ request: ProcessorRequest) -> ItemRegion {
        let sampleRate = request.format.sampleRate
        return ItemRegion(
            path: item.path, sampleRate: sampleRate, channels: request.outputChannels,
            startFrame: Int((startSeconds * sampleRate).rounded()),
            endFrame: endSeconds.map { Int(($0 * sampleRate).rounded()) })
    }

    fileprivate func traits(_ request: ProcessorRequest) -> PlayerTraits {
        let format = request.format
        let ahead = aheadSeconds * format.sampleRate / Double(PageLength.frames)
        return PlayerTraits(
            sampleRate: format.sampleRate, channels: request.outputChannels,
            isLive: format.isLive, polyphony: polyphony,
            swellFrames: Int(swellSeconds * format.sampleRate), isSynced: isSynced,
            startPoint: startPoint, restarts: restarts, shuffleSeed: shuffleSeed(format),
            aheadPages: max(3, Int(ahead.rounded(.up))))
    }

    /// Live another order each time, else always the same.
    private func shuffleSeed(_ format: AudioFormat) -> UInt64 {
        guard shuffles else { return 0 }
        return format.isLive ? max(1, UInt64(rt_ticks())) : 1
    }
}

extension PlayerTraits {
    /// Pages that are held: those ahead, those of a voice that fades, and the beginnings of what may be started.
    var slotCount: Int { isLive ? aheadPages + 12 : 12 }
}

extension PlayerValues {
    /// Takes values in the order of the description.
    init(_ values: [Float]) {
        guard values.count >= 10 else { return }
        gain = Double(values[0])
        rate = Double(values[1])
        semitones = values[2]
        isPlaying = values[3] >= 0.5
        isLooping = values[4] >= 0.5
        positionSeconds = Double(values[5])
        isTriggered = values[6] >= 0.5
        isNext = values[7] >= 0.5
        isPrevious = values[8] >= 0.5
        item = Int(values[9])
    }
}
