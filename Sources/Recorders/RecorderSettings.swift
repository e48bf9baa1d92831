internal import Processing
internal import Realtime

/// The settings of a recorder, checked.
struct RecorderSettings {
    let style: TakeStyle
    let limits: RecorderLimits

    /// How long a disk may stand still before something is lost.
    private static let patienceSeconds = 6.0

    static let descriptions = [
        SettingDescription(
            "file",
            summary:
                "Where takes go: conversions of strftime stand for the time, and a number is added where there is such a file.",
            kind: .newPath),
        SettingDescription(
            "format", summary: "How takes are written; by default what the file's name ends with.",
            kind: .choice(TakeFormat.allCases.map(\.rawValue))),
        SettingDescription(
            "bits", summary: "Bits a sample: 16 (dithered), 24, or 32 (float, in WAV alone).",
            kind: .numberChoice([16, 24, 32]), default: .number(24)),
        SettingDescription(
            "maximum", summary: "How long a take may be.", unit: .seconds,
            kind: .number(0.1...604_800)),
        SettingDescription(
            "pre-roll", summary: "How much of what was heard before the start belongs to it.",
            unit: .seconds, kind: .number(0...60), default: .number(0)),
        SettingDescription(
            "threshold",
            summary:
                "The level from which on it is written, while it records; without it, at once.",
            unit: .decibels, kind: .number(-120...0)),
        SettingDescription(
            "hold", summary: "With a threshold: rests after so long below it; without it, never.",
            unit: .seconds, kind: .number(0.1...3600)),
    ]

    init(_ request: ProcessorRequest, isKept: Bool) throws(PluginFault) {
        let settings = request.settings
        do throws(SettingFault) {
            style = TakeStyle(
                name: TakeName(
                    pattern: settings["file"]?.text ?? "take", format: try Self.format(settings)),
                bits: Int(settings["bits"]?.number ?? 24), channelCount: request.inputChannels,
                sampleRate: request.format.sampleRate, isLive: request.format.isLive,
                isKept: isKept)
        } catch {
            throw PluginFault(error.message)
        }
        limits = Self.limits(settings, sampleRate: request.format.sampleRate)
        let format = style.name.format
        guard request.inputChannels <= format.mostChannels else {
            throw PluginFault(
                "a \(format.rawValue) file has at most \(format.mostChannels) channels, this one would have \(request.inputChannels)"
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

    /// Room for the pre-roll, and for what comes while a disk stands still.
    func capacityFrames(for format: AudioFormat) -> Int {
        let patience = format.isLive ? Int(Self.patienceSeconds * format.sampleRate) : 16_384
        return limits.preRollFrames + max(patience, 4 * format.maximumBlockFrames + 8192)
    }

    // MARK: Checks

    /// Whether the settings fit together.
    ///
    /// - Throws: `SettingFault` that names the one that does not.
    static func check(_ settings: [String: SettingValue]) throws(SettingFault) {
        let format = try format(settings)
        let path = settings["file"]?.text ?? ""
        if path.isEmpty || path.hasSuffix("/") || path.utf8.contains(0) {
            throw SettingFault("file", .range, "\"file\" names no file that could be made")
        }
        if let bits = settings["bits"]?.number {
            try check(bits: Int(bits), of: format)
        }
        if settings["hold"] != nil, settings["threshold"] == nil {
            throw SettingFault("hold", .range, "\"hold\" goes with a \"threshold\"")
        }
    }

    private static func check(bits: Int, of format: TakeFormat) throws(SettingFault) {
        switch (format, bits) {
        case (.flac, 32):
            throw SettingFault("bits", .range, "flac has 16 or 24 bits; 32 are there in wav")
        case (.ogg, _):
            throw SettingFault("bits", .range, "ogg has no \"bits\"; wav and flac have them")
        default: return
        }
    }

    /// What `format` says, and otherwise what the file's name ends with.
    private static func format(
        _ settings: [String: SettingValue]
    ) throws(SettingFault) -> TakeFormat {
        let ending = settings["file"]?.text.flatMap(Self.ending)
        guard let wanted = settings["format"]?.text.flatMap(TakeFormat.init(rawValue:)) else {
            return ending ?? .wav
        }
        if let ending, ending != wanted {
            throw SettingFault(
                "format", .range,
                "the file's name ends as \(ending.rawValue) files do, and \"format\" is \(wanted.rawValue)"
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
