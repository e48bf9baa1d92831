internal import ArgumentParser
internal import Conversion
internal import Glibc
internal import SoundFiles
internal import SessionTexts
internal import Threads

/// `stompline convert`: converts a sound file.
struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Make a sound file of another: its format, rate, channels, part or loudness.",
        discussion: """
            Examples:
              stompline convert song.m4a song.flac
              stompline convert take.wav loop.wav --start 12.5 --end 20.5
              stompline convert video.mp4 backing.ogg --rate 48000 --loudness -16

            It reads what libsndfile reads (WAV, AIFF, CAF, FLAC, Ogg, Opus, MP3) and, where
            ffmpeg is installed, what that reads (M4A, ALAC, WMA, the sound of videos).
            It writes what the output's name ends in: .wav, .flac, .ogg, .opus, .mp3, .aiff,
            .caf, .au, .w64 or .rf64; 32-bit float WAV where it ends in none of them.

            The output gets its name when it is whole: until then, and where anything goes
            wrong, what was there before stays.
            """)

    @Argument(help: ArgumentHelp("The file that is read.", valueName: "in"), completion: .file())
    var input: String

    @Argument(help: ArgumentHelp("The file that is made.", valueName: "out"), completion: .file())
    var output: String

    @Option(help: ArgumentHelp("Frames a second (default: the input's).", valueName: "hertz"))
    var rate: Int?

    @Option(
        help: ArgumentHelp(
            "Channels (default: the input's). One goes to all; all come to one by their mean."))
    var channels: Int?

    @Option(
        help: ArgumentHelp(
            "Bits a sample: 16 (dithered), 24, or 32 (floats; default, but for FLAC 24)."))
    var bits: Int?

    @Option(
        help: ArgumentHelp(
            "wav, flac, ogg, opus, mp3, aiff, caf, au, w64 or rf64, whatever the name ends in."))
    var format: String?

    @Option(
        // A loudness is negative, and must not be parsed as an option.
        parsing: .unconditional,
        help: ArgumentHelp(
            "Bring it to this integrated loudness (EBU R 128) by gain, peaks up to -1 dB.",
            valueName: "lufs"))
    var loudness: Double?

    @Option(help: ArgumentHelp("Begin so far into the input.", valueName: "seconds"))
    var start: Double?

    @Option(help: ArgumentHelp("End so far into the input.", valueName: "seconds"))
    var end: Double?

    func validate() throws {
        if let rate { try Limits.check(rate: rate) }
        try Limits.check(channels: channels, bits: bits)
        if let loudness { try Limits.check(loudness: loudness) }
        if let start { try Limits.check("--start", seconds: start) }
        if let end { try Limits.check("--end", seconds: end) }
        if let end, end <= start ?? 0 {
            throw ValidationError("--end lies behind --start, not before it")
        }
        if let format, !SoundFileStyle.formats.contains(format) {
            let all = SoundFileStyle.formats.joined(separator: ", ")
            throw ValidationError("--format takes \(all), not '\(format)'")
        }
        if let bits, !style.hasBits {
            throw ValidationError("there is no \(bits)-bit \(style.format)")
        }
    }

    func run() throws {
        StopSignals.hold()
        do throws(ConversionFault) {
            let conversion = try Conversion(request)
            leaveNothing(of: conversion)
            let progress = ProgressLine("converting")
            defer { progress.end() }
            let outcome = try conversion.run(progress: progress.show)
            if let level = outcome.level { tell(level) }
        } catch {
            switch error {
            case .request(let message): throw Failure.usage(message)
            case .file(let fault): throw Failure(fault)
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
    private func tell(_ level: LevelChange) {
        guard let loudness else { return }
        guard let reached = level.reached else {
            Console.complain("'\(input)' is too soft to have a loudness; its level stays")
            return
        }
        if level.isHeldByPeaks {
            Console.complain(
                """
                '\(output)' has \(reached.fixed(1)) LUFS instead of \(loudness.fixed(1)): \
                its peaks allow no more
                """)
        }
    }
}
