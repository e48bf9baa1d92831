/// What ffprobe says of a file's first sound.
struct DecodedFacts {
    let channels: Int
    let sampleRate: Int
    /// Frames, where the file counts in them; so its frames can also be gone to.
    let exactFrames: Int?

    /// Asks for a file's facts.
    ///
    /// - Throws: `SoundFileFault` where ffmpeg is not installed, or finds no sound.
    init(path: String) throws(SoundFileFault) {
        let text = try Self.probe(path)
        var values: [Substring: Substring] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        guard let channels = values["channels"].flatMap({ Int($0) }), channels > 0,
            let sampleRate = values["sample_rate"].flatMap({ Int($0) }), sampleRate > 0
        else { throw SoundFileFault(path, .reading, "it holds no sound") }
        self.channels = channels
        self.sampleRate = sampleRate
        let countsFrames = values["time_base"] == "1/\(sampleRate)" && values["start_pts"] == "0"
        exactFrames = countsFrames ? values["duration_ts"].flatMap { Int($0) } : nil
    }

    private static func probe(_ path: String) throws(SoundFileFault) -> String {
        let program: ChildProgram
        do throws(ChildProgram.StartFault) {
            program = try ChildProgram(
                [
                    "ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries",
                    "stream=channels,sample_rate,time_base,start_pts,duration_ts",
                    "-of", "default=noprint_wrappers=1",
                ] + Decoder.input(path))
        } catch { throw Decoder.fault(path, error) }
        guard let text = program.text() else {
            throw SoundFileFault(path, .reading, "ffmpeg takes too long to look at it")
        }
        if program.farewell() != nil {
            throw SoundFileFault(path, .reading, "neither libsndfile nor ffmpeg knows its format")
        }
        return text
    }
}
