internal import DSP
internal import Processing

/// An estimate of a player's memory: its voices, its pages or whole files, and its stream buffer.
struct PlayerMemory {
    let request: ProcessorRequest
    let opener: SoundOpener

    /// The estimate in bytes.
    ///
    /// The estimate opens files that will be loaded in full. A file that cannot be read counts as
    /// nothing: the player refuses it when it is made.
    var byteCount: Int {
        let settings = PlayerSettings(request.settings)
        let traits = settings.traits(request)
        let voices = Self.voiceBytes(traits).multipliedClamped(by: traits.polyphony + 1)
        var (samples, paths, streams) = (0, Set<String>(), settings.url != nil)
        for item in settings.items {
            let region = settings.region(of: item, request)
            guard paths.insert(item.path).inserted, !ClipCache.shared.holds(region),
                let source = try? ItemSource(region, opener: opener)
            else { continue }
            if settings.holdsClip(frameCount: source.frameCount, request.format) {
                samples = samples.addingClamped(
                    source.frameCount.multipliedClamped(by: traits.channels))
            } else {
                streams = true
            }
        }
        if streams {
            samples = samples.addingClamped(
                PageReader.sampleCount(channels: traits.channels, slotCount: traits.slotCount))
        }
        if settings.url != nil {
            let seconds = StreamLimits().longestBufferSeconds
            samples = samples.addingClamped(
                Int(seconds * traits.sampleRate).multipliedClamped(by: traits.channels))
        }
        return samples.multipliedClamped(by: MemoryLayout<Float>.stride).addingClamped(voices)
    }

    /// Returns the bytes that a player allocates for changed settings, which differ only in the list
    /// of files.
    ///
    /// - Parameter current: The current settings of the player.
    /// - Returns: The estimate in bytes.
    func changeBytes(from current: [String: SettingValue]) -> Int {
        let (before, after) = (PlayerSettings(current), PlayerSettings(request.settings))
        var (bytes, paths) = (0, Set(before.items.map(\.path)))
        let hasPages = before.items.contains { item in
            !isClip(before.region(of: item, request), before)
        }
        for item in after.items {
            let region = after.region(of: item, request)
            guard paths.insert(item.path).inserted, !ClipCache.shared.holds(region),
                let source = try? ItemSource(region, opener: opener),
                !hasPages || after.holdsClip(frameCount: source.frameCount, request.format)
            else { continue }
            bytes = bytes.addingClamped(
                source.frameCount.multipliedClamped(by: request.outputChannels)
                    .multipliedClamped(by: MemoryLayout<Float>.stride))
        }
        return bytes
    }

    /// Returns whether a part of a file is in memory in full.
    private func isClip(_ region: ItemRegion, _ settings: PlayerSettings) -> Bool {
        if ClipCache.shared.holds(region) { return true }
        guard let source = try? ItemSource(region, opener: opener) else { return true }
        return settings.holdsClip(frameCount: source.frameCount, request.format)
    }

    /// Returns the bytes of a voice with its frame ring and its stretch engine.
    ///
    /// The constants are measured, because a voice consists of dozens of arrays.
    private static func voiceBytes(_ traits: PlayerTraits) -> Int {
        let steps = StretchLengths.stepFrames(sampleRate: traits.sampleRate)
        return traits.channels.multipliedClamped(by: 455_000).addingClamped(680_000)
            .multipliedClamped(by: steps) / 64
    }
}
