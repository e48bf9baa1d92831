internal import Processing
internal import SoundFiles

/// The settings of a player.
struct PlayerSettings {
    /// The files, each with its level in dB.
    let items: [PlaylistItem]
    /// The address of a stream, which replaces the files; `nil` if the player plays files.
    let url: String?
    /// The name of the setting that lists the files.
    private let source: String
    let startSeconds: Double
    let endSeconds: Double?
    let channels: Int?
    let loops: Int
    let crossfadeSeconds: Double
    let fadeInSeconds: Double
    /// The fade-out at a stop; 0 for the shortest one without a click.
    let fadeOutSeconds: Double
    let isSynced: Bool
    let startPoint: StartPoint
    let restarts: Bool
    let polyphony: Int
    let shuffles: Bool
    /// How far ahead the player reads; `nil` if the setting is absent.
    private let preloadSeconds: Double?

    /// Reads settings whose kinds have been checked.
    init(_ settings: [String: SettingValue]) {
        url = settings["url"]?.text
        if let file = settings["file"]?.text {
            (items, source) = ([PlaylistItem(path: file)], "file")
        } else {
            (items, source) = (settings["files"]?.playlist ?? [], "files")
        }
        func number(_ name: String, _ usual: Double) -> Double { settings[name]?.number ?? usual }
        startSeconds = number("start", 0)
        endSeconds = settings["end"]?.number
        channels = settings["channels"]?.number.map { Int($0) }
        loops = Int(number("loops", 0))
        crossfadeSeconds = number("crossfade", 0)
        polyphony = Int(number("polyphony", 1))
        fadeInSeconds = number("swell", polyphony > 1 ? 0 : 0.25)
        fadeOutSeconds = number("swell-out", 0)
        isSynced = settings["sync"]?.toggle ?? false
        let point = settings["start-on"]?.text ?? "now"
        startPoint =
            StartPoint.names.firstIndex(of: point).flatMap { StartPoint(rawValue: $0) } ?? .now
        restarts = settings["restart"]?.toggle ?? false
        shuffles = settings["shuffle"]?.toggle ?? false
        preloadSeconds = settings["preload"]?.number
    }

    /// Returns whether a player with some settings can follow a change to others: if only the list
    /// of files changes.
    ///
    /// If a single file is replaced by another one, a new player starts with it at once.
    static func canFollow(
        _ current: [String: SettingValue], _ changed: [String: SettingValue]
    ) -> Bool {
        func others(_ settings: [String: SettingValue]) -> [String: SettingValue] {
            settings.filter { $0.key != "file" && $0.key != "files" }
        }
        let (before, after) = (Self(current), Self(changed))
        guard others(current) == others(changed), before.url == nil, !before.items.isEmpty,
            !after.items.isEmpty
        else { return false }
        let stays = Set(before.items.map(\.path)).intersection(after.items.map(\.path))
        return before.source == "files" && after.source == "files" || !stays.isEmpty
    }

    /// How far the player reads ahead of the playback position, in seconds.
    var aheadSeconds: Double { preloadSeconds ?? 2 }

    /// Returns the longest duration of a file that is loaded into memory in full, in seconds.
    ///
    /// Offline rendering waits for every read, so it loads longer files in full before it starts.
    private func longestClipSeconds(_ format: AudioFormat) -> Double {
        preloadSeconds ?? (format.mayLackData ? 2 : 60)
    }

    /// Returns whether a file of `frameCount` frames is loaded into memory in full.
    func holdsClip(frameCount: Int, _ format: AudioFormat) -> Bool {
        polyphony > 1
            || Double(frameCount) <= longestClipSeconds(format) * format.sampleRate
    }

    /// Checks the files or the address, and returns the channels and the duration.
    ///
    /// - Throws: `SettingError` if a file cannot be read or has nothing left to play after `start`.
    func facts() throws(SettingError) -> SettingFacts {
        if let url { return try facts(ofStream: url) }
        guard !items.isEmpty else {
            throw SettingError(source, .range, "the list contains no file")
        }
        if let endSeconds, endSeconds <= startSeconds {
            throw SettingError(
                "end", .range,
                "\"end\" is \(endSeconds) s; it must be after \"start\", \(startSeconds) s")
        }
        var (widest, total) = (1, 0.0)
        for (index, item) in items.enumerated() {
            let facts = try facts(of: item, index)
            widest = max(widest, facts.channels)
            let seconds = Double(facts.frameCount) / facts.sampleRate
            guard seconds > startSeconds else {
                throw SettingError(
                    "start", .range,
                    "\"start\" is \(startSeconds) s, but \(item.path) is only \(seconds) s long"
                )
            }
            total += min(endSeconds ?? seconds, seconds) - startSeconds
        }
        return SettingFacts(
            outputChannels: channels ?? widest,
            durationSeconds: isSynced || polyphony > 1 ? nil : total)
    }

    /// The channels of a stream if the pipeline file does not set them.
    private static let streamChannels = 2

    private func facts(ofStream url: String) throws(SettingError) -> SettingFacts {
        do throws(NetworkURLError) {
            _ = try NetworkURL(url)
        } catch {
            throw SettingError("url", .range, "\(error)")
        }
        guard StreamFormat.allowedChannels.contains(channels ?? Self.streamChannels) else {
            throw SettingError("channels", .range, "a stream has 1 to 8 channels")
        }
        guard polyphony == 1 else {
            throw SettingError(
                "polyphony", .range, "a stream has one voice: \"polyphony\" must be 1")
        }
        return SettingFacts(outputChannels: channels ?? Self.streamChannels)
    }

    private func facts(of item: PlaylistItem, _ index: Int) throws(SettingError) -> SoundFacts {
        do throws(SoundFileError) {
            return try SoundFile.facts(of: item.path)
        } catch {
            throw SettingError(source, item: source == "files" ? index : nil, .file, "\(error)")
        }
    }
}
