internal import ArgumentParser
internal import Glibc
internal import SessionTexts
internal import SoundFiles
internal import Platform

/// `stompline convert`: converts a sound file.
struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert a sound file: its format, rate, channels, length or loudness.",
        discussion: """
            Examples:
              stompline convert song.m4a song.flac
              stompline convert take.wav loop.wav --start 12.5 --end 20.5
              stompline convert video.mp4 backing.ogg --rate 48000 --loudness -16

            The command reads the formats of libsndfile (WAV, AIFF, CAF, FLAC, Ogg, Opus,
            MP3) and, if ffmpeg is installed, its formats (M4A, ALAC, WMA, the sound of
            videos). The extension of the output determines its format: .wav, .flac, .ogg,
            .opus, .mp3, .aiff, .caf, .au, .w64 or .rf64; otherwise it is 32-bit float WAV.

            The output gets its name when it is complete. After an error, the previous
            file with this name stays.
            """)

    @Argument(help: ArgumentHelp("The input file.", valueName: "in"), completion: .file())
    var input: String

    @Argument(help: ArgumentHelp("The output file.", valueName: "out"), completion: .file())
    var output: String

    @Option(help: ArgumentHelp("Sample rate (default: that of the input).", valueName: "hertz"))
    var rate: Int?

    @Option(
        help: ArgumentHelp(
            "Channels (default: as the input). One is copied to all; all are mixed to one."))
    var channels: Int?

    @Option(
        help: ArgumentHelp(
            "Bits per sample: 16 (dithered), 24, or 32 (float). Default: 32, for FLAC 24."))
    var bits: Int?

    @Option(
        help: ArgumentHelp(
            "wav, flac, ogg, opus, mp3, aiff, caf, au, w64 or rf64, whatever the extension is."))
    var format: String?

    @Option(
        // A loudness is negative, and must not be parsed as an option.
        parsing: .unconditional,
        help: ArgumentHelp(
            "Change the gain to reach this loudness (EBU R 128), with peaks up to -1 dB.",
            valueName: "lufs"))
    var loudness: Double?

    @Option(help: ArgumentHelp("Start at this time of the input.", valueName: "seconds"))
    var start: Double?

    @Option(help: ArgumentHelp("End at this time of the input.", valueName: "seconds"))
    var end: Double?

    func validate() throws {
        if let rate { try Limits.check(rate: rate) }
        try Limits.check(channels: channels, bits: bits)
        if let loudness { try Limits.check(loudness: loudness) }
        if let start { try Limits.check("--start", seconds: start) }
        if let end { try Limits.check("--end", seconds: end) }
        if let end, end <= start ?? 0 {
            throw ValidationError("--end must be later than --start")
        }
        if let format, !SoundFileStyle.formats.contains(format) {
            let all = SoundFileStyle.formats.joined(separator: ", ")
            throw ValidationError("--format must be one of \(all), not '\(format)'")
        }
        if let bits, !style.hasBits {
            throw ValidationError("there is no \(bits)-bit \(style.format)")
        }
    }

    func run() throws {
        StopSignals.hold()
        do throws(ConversionError) {
            let conversion = try Conversion(request)
            leaveNothing(of: conversion)
            let progress = ProgressLine("converting")
            defer { progress.end() }
            let outcome = try conversion.run(progress: progress.show)
            if let level = outcome.level { report(level) }
        } catch {
            switch error {
            case .request(let message): throw Failure.usage(message)
            case .file(let error): throw Failure(error)
            }
        }
    }
}

extension ConvertCommand {
    private var style: SoundFileStyle {
        format.map { SoundFileStyle(format: $0, bits: bits) }
            ?? SoundFileStyle(path: output, bits: bits)
    }

    private var request: ConversionRequest {
        var request = ConversionRequest(input: input, output: output, style: style)
        request.sampleRate = rate.map(Double.init)
        request.channels = channels
        request.loudness = loudness
        request.startSeconds = start ?? 0
        request.endSeconds = end
        return request
    }

    /// Removes the unfinished file if a signal ends the program.
    private func leaveNothing(of conversion: Conversion) {
        let path = conversion.unfinishedPath
        _ = StopSignals.forward { signal in
            unlink(path)
            Console.progress("")
            _exit(128 + signal)
        }
    }

    /// Reports if the requested loudness was not reached.
    private func report(_ level: LevelChange) {
        guard let loudness else { return }
        guard let reached = level.reached else {
            Console.notify(
                "'\(input)' is too quiet to measure its loudness; its level is unchanged")
            return
        }
        if level.isLimitedByPeaks {
            Console.notify(
                """
                '\(output)' has \(reached.fixed(1)) LUFS instead of \(loudness.fixed(1)): \
                more gain would raise its peaks above -1 dB
                """)
        }
    }
}
