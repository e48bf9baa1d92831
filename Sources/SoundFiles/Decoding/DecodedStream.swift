/// The frames that a child ffmpeg gives of a file, one after the other.
final class DecodedStream {
    /// The frame that comes next.
    private(set) var position: Int
    private let path: String
    private let bytesPerFrame: Int
    private let program: ChildProgram
    private var hasEnded = false

    /// Starts decoding.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - channels: The file's own.
    ///   - sampleRate: The file's own.
    ///   - first: The frame that comes first; other than 0 only where the file counts in frames.
    ///   - lead: Frames before the first that are decoded too.
    /// - Throws: `SoundFileFault` where ffmpeg is not installed.
    init(
        _ path: String, _ channels: Int, _ sampleRate: Int, from first: Int = 0, lead: Int = 0
    ) throws(SoundFileFault) {
        self.path = path
        position = first
        bytesPerFrame = channels * MemoryLayout<Float>.stride
        var (before, after): ([String], [String]) = ([], [])
        if first > 0 {
            let milliseconds = (first - lead) * 1000 / sampleRate
            before = ["-ss", "\(milliseconds)ms", "-noaccurate_seek", "-copyts"]
            after = ["-af", "atrim=start_pts=\(first)"]
        }
        do throws(ChildProgram.StartFault) {
            program = try ChildProgram(
                ["ffmpeg", "-nostdin", "-v", "error", "-threads", "1"]
                    + Decoder.input(path, before) + ["-map", "0:a:0"] + after
                    + ["-ac", "\(channels)", "-ar", "\(sampleRate)"]
                    + ["-c:a", "pcm_f32le", "-f", "f32le", "pipe:1"])
        } catch { throw Decoder.fault(path, error) }
    }

    /// Gives the next frames.
    ///
    /// - Returns: How many: fewer than wanted at the end only.
    /// - Throws: `SoundFileFault` where ffmpeg fails.
    func read(
        _ frames: Int, into samples: UnsafeMutablePointer<Float>
    ) throws(SoundFileFault) -> Int {
        let (place, wanted) = (UnsafeMutableRawPointer(samples), frames * bytesPerFrame)
        var count = 0
        while count < wanted, !hasEnded {
            switch program.read(wanted - count, into: place + count) {
            case .bytes(let more): count += more
            case .ended: try end()
            case .tooSlow: throw SoundFileFault(path, .reading, "ffmpeg has stopped decoding it")
            }
        }
        position += count / bytesPerFrame
        return count / bytesPerFrame
    }

    private func end() throws(SoundFileFault) {
        hasEnded = true
        if let words = program.farewell() {
            throw SoundFileFault(path, .reading, "ffmpeg failed: \(words)")
        }
    }

    /// Leaves frames out.
    ///
    /// - Throws: `SoundFileFault` where ffmpeg fails.
    func skip(_ frames: Int) throws(SoundFileFault) {
        _ = try pass(frames)
    }

    /// Decodes to the end, and tells where that is.
    ///
    /// - Throws: `SoundFileFault` where ffmpeg fails.
    func countFrames() throws(SoundFileFault) -> Int {
        while try pass(1 << 20) > 0 {}
        return position
    }

    private func pass(_ frames: Int) throws(SoundFileFault) -> Int {
        let pieceFrames = 8192
        let piece = UnsafeMutablePointer<Float>.allocate(
            capacity: pieceFrames * bytesPerFrame / MemoryLayout<Float>.stride)
        defer { piece.deallocate() }
        var passed = 0
        while passed < frames {
            let count = try read(min(pieceFrames, frames - passed), into: piece)
            if count == 0 { break }
            passed += count
        }
        return passed
    }
}
