internal import Platform

/// The properties of a file's first audio stream, as reported by ffprobe.
struct DecodedFacts {
    let channels: Int
    let sampleRate: Int
    /// The length in frames if the file counts time in frames, so that ffmpeg can seek to a frame.
    let exactFrames: Int?

    /// Reads the properties of a file.
    ///
    /// - Throws: `SoundFileError` if ffmpeg is not installed or finds no sound.
    init(path: String) throws(SoundFileError) {
        let text = try Self.probe(path)
        var values: [Substring: Substring] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        guard let channels = values["channels"].flatMap({ Int($0) }), channels > 0,
            let sampleRate = values["sample_rate"].flatMap({ Int($0) }), sampleRate > 0
        else { throw SoundFileError(path, .reading, "it contains no sound") }
        guard channels <= SoundFileLimits.maximumChannels,
            sampleRate <= SoundFileLimits.maximumHertz
        else {
            throw SoundFileError(
                path, .reading, "\(channels) channels at \(sampleRate) Hz are not supported")
        }
        self.channels = channels
        self.sampleRate = sampleRate
        let countsFrames = values["time_base"] == "1/\(sampleRate)" && values["start_pts"] == "0"
        // A negative length means that the length is not known.
        let frames = values["duration_ts"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
        exactFrames = countsFrames ? frames : nil
        if let frames, frames > SoundFileLimits.maximumFrames {
            throw SoundFileLimits.tooLong(path, frames: frames)
        }
    }

    private static func probe(_ path: String) throws(SoundFileError) -> String {
        let program: ChildProgram
        do throws(SystemError) {
            program = try ChildProgram(
                [
                    "ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries",
                    "stream=channels,sample_rate,time_base,start_pts,duration_ts",
                    "-of", "default=noprint_wrappers=1",
                ] + Decoder.input(path), reading: path)
        } catch { throw Decoder.error(path, error) }
        guard let text = program.text() else {
            throw SoundFileError(path, .reading, "ffmpeg took too long to examine it")
        }
        if program.farewell() != nil {
            throw SoundFileError(path, .reading, "neither libsndfile nor ffmpeg knows its format")
        }
        return text
    }
}
