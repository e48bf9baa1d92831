internal import Processing
internal import SoundFiles

/// What the settings of a player say.
struct PlayerSettings {
    /// The files, and the level of each in dB.
    let items: [PlaylistItem]
    /// The address of a stream, in their place.
    let url: String?
    /// The setting that names them.
    private let source: String
    let startSeconds: Double
    let endSeconds: Double?
    let channels: Int?
    let loops: Int
    let crossfadeSeconds: Double
    let swellSeconds: Double
    let isSynced: Bool
    let startPoint: StartPoint
    let restarts: Bool
    let polyphony: Int
    let shuffles: Bool
    /// How much is read ahead; nil where the file does not say.
    private let preloadSeconds: Double?

    /// Takes settings of the right kinds.
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
        swellSeconds = number("swell", polyphony > 1 ? 0 : 0.25)
        isSynced = settings["sync"]?.toggle ?? false
        let point = settings["start-on"]?.text ?? "now"
        startPoint =
            StartPoint.names.firstIndex(of: point).flatMap { StartPoint(rawValue: $0) } ?? .now
        restarts = settings["restart"]?.toggle ?? false
        shuffles = settings["shuffle"]?.toggle ?? false
        preloadSeconds = settings["preload"]?.number
    }

    /// How much is read ahead of what plays.
    var aheadSeconds: Double { preloadSeconds ?? 2 }

    /// The longest file that is held in memory as a whole, in seconds.
    ///
    /// What is rendered waits for what is read: so longer ones are read at once, before it begins.
    func longestClipSeconds(isLive: Bool) -> Double { preloadSeconds ?? (isLive ? 2 : 60) }

    /// What the files are.
    ///
    /// - Throws: `SettingFault` where one can't be read, or nothing of it is left to play.
    func facts() throws(SettingFault) -> SettingFacts {
        if let url { return try facts(ofStream: url) }
        guard !items.isEmpty else {
            throw SettingFault(source, .range, "the list has no file")
        }
        if let endSeconds, endSeconds <= startSeconds {
            throw SettingFault(
                "end", .range,
                "\"end\" is \(endSeconds) s: it must lie after \"start\", \(startSeconds) s")
        }
        var (widest, total) = (1, 0.0)
        for (place, item) in items.enumerated() {
            let facts = try facts(of: item, place)
            widest = max(widest, facts.channels)
            let seconds = Double(facts.frameCount) / facts.sampleRate
            guard seconds > startSeconds else {
                throw SettingFault(
                    "start", .range,
                    "\"start\" is \(startSeconds) s, and \(item.path) is no longer than \(seconds) s"
                )
            }
            total += min(endSeconds ?? seconds, seconds) - startSeconds
        }
        return SettingFacts(
            outputChannels: channels ?? widest,
            durationSeconds: isSynced || polyphony > 1 ? nil : total)
    }

    /// The channels of a stream where a file does not say how many.
    static let streamChannels = 2

    private func facts(ofStream url: String) throws(SettingFault) -> SettingFacts {
        do throws(NetworkURLFault) {
            _ = try NetworkURL(url)
        } catch {
            throw SettingFault("url", .range, "\(error)")
        }
        guard StreamFormat.allowedChannels.contains(channels ?? Self.streamChannels) else {
            throw SettingFault("channels", .range, "a stream has 1 to 8 channels")
        }
        guard polyphony == 1 else {
            throw SettingFault(
                "polyphony", .range, "a stream has one voice: \"polyphony\" must be 1")
        }
        return SettingFacts(outputChannels: channels ?? Self.streamChannels)
    }

    private func facts(of item: PlaylistItem, _ place: Int) throws(SettingFault) -> SoundFacts {
        do throws(SoundFileFault) {
            return try SoundFile.facts(of: item.path)
        } catch {
            throw SettingFault(source, item: source == "files" ? place : nil, .file, "\(error)")
        }
    }
}
