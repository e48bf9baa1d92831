internal import Processing
internal import Realtime

/// The checked settings of a recorder.
struct RecorderSettings {
    let style: TakeStyle
    let limits: RecorderLimits

    /// The longest standstill of a disk before frames are lost, in seconds.
    private static let diskStallSeconds = 6.0

    static let descriptions = [
        SettingDescription(
            "file",
            summary:
                "The path of the takes: strftime conversions insert the time, and a number is added if the file exists.",
            kind: .newPath),
        SettingDescription(
            "format",
            summary: "The file format of takes; by default from the extension of the name.",
            kind: .choice(TakeFormat.allCases.map(\.rawValue))),
        SettingDescription(
            "bits", summary: "The bits per sample: 16 (dithered), 24, or 32 (float, only in WAV).",
            kind: .numberChoice([16, 24, 32]), default: .number(24)),
        SettingDescription(
            "maximum", summary: "The longest duration of a take.", unit: .seconds,
            kind: .number(0.1...604_800)),
        SettingDescription(
            "pre-roll", summary: "The length of the sound before the start that is included.",
            unit: .seconds, kind: .number(0...60), default: .number(0)),
        SettingDescription(
            "threshold",
            summary:
                "While it records, writing starts when the peak exceeds this level; by default at once.",
            unit: .decibels, kind: .number(-120...0)),
        SettingDescription(
            "hold", summary: "With a threshold: pauses after this time below it; by default never.",
            unit: .seconds, kind: .number(0.1...3600)),
        SettingDescription(
            "keep-free",
            summary:
                "The megabytes of the disk that stay free: with less, no take starts, and the current take ends.",
            kind: .number(0...1_000_000), default: .number(defaultFreeMegabytes)),
        SettingDescription(
            "remote",
            summary:
                "Whether other programs (OSC, `stompline ctl`, session managers) can change its parameters; MIDI and scenes always can.",
            kind: .toggle, default: .toggle(true)),
    ]

    /// The space that stays free on a disk if `keep-free` is not set, in megabytes.
    private static let defaultFreeMegabytes = 100.0

    init(_ request: ProcessorRequest, isKept: Bool) throws(PluginError) {
        let settings = request.settings
        do throws(SettingError) {
            style = TakeStyle(
                name: TakeName(
                    pattern: settings["file"]?.text ?? "take", format: try Self.format(settings)),
                bits: Int(settings["bits"]?.number ?? 24), channelCount: request.inputChannels,
                sampleRate: request.format.sampleRate, isLive: request.format.isLive,
                isKept: isKept,
                keptFreeBytes: Int(
                    1e6 * (settings["keep-free"]?.number ?? Self.defaultFreeMegabytes)))
        } catch {
            throw PluginError(error.message)
        }
        limits = Self.limits(settings, sampleRate: request.format.sampleRate)
        let format = style.name.format
        guard request.inputChannels <= format.maximumChannels else {
            throw PluginError(
                "a \(format.rawValue) file can have at most \(format.maximumChannels) channels; this one would have \(request.inputChannels)"
            )
        }
    }

    private static func limits(
        _ settings: [String: SettingValue], sampleRate: Double
    ) -> RecorderLimits {
        func frames(_ name: String) -> Int? {
            settings[name]?.number.map { Int(($0 * sampleRate).rounded()) }
        }
        return RecorderLimits(
            sampleRate: sampleRate, preRollFrames: frames("pre-roll") ?? 0,
            threshold: settings["threshold"]?.number.map { Float(Decibels($0).amplitude) },
            holdFrames: frames("hold") ?? RecorderLimits.endless,
            maximumFrames: frames("maximum") ?? RecorderLimits.endless)
    }

    /// Returns the capacity of the ring: the pre-roll, and the frames of a disk standstill.
    func capacityFrames(for format: AudioFormat) -> Int {
        let stallFrames = format.isLive ? Int(Self.diskStallSeconds * format.sampleRate) : 16_384
        return limits.preRollFrames + max(stallFrames, 4 * format.maximumBlockFrames + 8192)
    }

    // MARK: Checks

    /// Checks that the settings fit together.
    ///
    /// - Throws: `SettingError` that names the wrong setting.
    static func check(_ settings: [String: SettingValue]) throws(SettingError) {
        let format = try format(settings)
        let path = settings["file"]?.text ?? ""
        if path.isEmpty || path.hasSuffix("/") || path.utf8.contains(0) {
            throw SettingError("file", .range, "\"file\" is not the path of a file")
        }
        try TakeName(pattern: path, format: format).checkLengths()
        if let bits = settings["bits"]?.number {
            try check(bits: Int(bits), of: format)
        }
        if settings["hold"] != nil, settings["threshold"] == nil {
            throw SettingError("hold", .range, "\"hold\" requires \"threshold\"")
        }
    }

    private static func check(bits: Int, of format: TakeFormat) throws(SettingError) {
        switch (format, bits) {
        case (.flac, 32):
            throw SettingError("bits", .range, "flac supports 16 or 24 bits; use wav for 32")
        case (.ogg, _):
            throw SettingError("bits", .range, "ogg does not support \"bits\"; use wav or flac")
        default: return
        }
    }

    /// Returns the format from `format`, or otherwise from the file's extension.
    private static func format(
        _ settings: [String: SettingValue]
    ) throws(SettingError) -> TakeFormat {
        let ending = settings["file"]?.text.flatMap(Self.ending)
        guard let wanted = settings["format"]?.text.flatMap(TakeFormat.init(rawValue:)) else {
            return ending ?? .wav
        }
        if let ending, ending != wanted {
            throw SettingError(
                "format", .range,
                "the extension of the file is that of \(ending.rawValue), but \"format\" is \(wanted.rawValue)"
            )
        }
        return wanted
    }

    private static func ending(of path: String) -> TakeFormat? {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        return TakeFormat(extension: String(name[name.index(after: dot)...]))
    }
}
