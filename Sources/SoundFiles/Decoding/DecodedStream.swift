internal import Platform
internal import Realtime

/// The frames of a file in order, decoded by a child process `ffmpeg`.
final class DecodedStream {
    /// The index of the next frame.
    private(set) var position: Int
    private let path: String
    private let bytesPerFrame: Int
    private let program: ChildProgram
    private var hasEnded = false

    /// Starts to decode.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - channels: The channels of the file.
    ///   - sampleRate: The sample rate of the file in Hz.
    ///   - first: The first frame; it must be 0 unless the file counts time in frames.
    ///   - lead: The number of frames to decode before the first one.
    /// - Throws: `SoundFileError` if ffmpeg cannot be started.
    init(
        _ path: String, _ channels: Int, _ sampleRate: Int, from first: Int = 0, lead: Int = 0
    ) throws(SoundFileError) {
        self.path = path
        position = first
        bytesPerFrame = channels * MemoryLayout<Float>.stride
        var (before, after): ([String], [String]) = ([], [])
        if first > 0 {
            let milliseconds = (first - lead) * 1000 / sampleRate
            before = ["-ss", "\(milliseconds)ms", "-noaccurate_seek", "-copyts"]
            after = ["-af", "atrim=start_pts=\(first)"]
        }
        do throws(SystemError) {
            program = try ChildProgram(
                ["ffmpeg", "-nostdin", "-v", "error", "-threads", "1"]
                    + Decoder.input(path, before) + ["-map", "0:a:0"] + after
                    + ["-ac", "\(channels)", "-ar", "\(sampleRate)"]
                    + ["-c:a", "pcm_f32le", "-f", "f32le", "pipe:1"], reading: path)
        } catch { throw Decoder.error(path, error) }
    }

    /// Reads the next frames.
    ///
    /// - Returns: The number of frames read; less than `frames` only at the end.
    /// - Throws: `SoundFileError` if ffmpeg fails.
    func read(
        _ frames: Int, into samples: UnsafeMutablePointer<Float>
    ) throws(SoundFileError) -> Int {
        let (address, wanted) = (UnsafeMutableRawPointer(samples), frames * bytesPerFrame)
        var count = 0
        while count < wanted, !hasEnded {
            switch program.read(wanted - count, into: address + count) {
            case .bytes(let more): count += more
            case .ended: try end()
            case .tooSlow: throw SoundFileError(path, .reading, "ffmpeg stopped sending data")
            }
        }
        position += count / bytesPerFrame
        return count / bytesPerFrame
    }

    private func end() throws(SoundFileError) {
        hasEnded = true
        if let words = program.farewell() {
            throw SoundFileError(path, .reading, "ffmpeg failed: \(words)")
        }
    }

    /// Reads and discards frames.
    ///
    /// - Throws: `SoundFileError` if ffmpeg fails.
    func skip(_ frames: Int) throws(SoundFileError) {
        _ = try pass(frames)
    }

    /// Decodes to the end, and returns the number of frames.
    ///
    /// - Throws: `SoundFileError` if ffmpeg fails.
    func countFrames() throws(SoundFileError) -> Int {
        while try pass(1 << 20) > 0 {}
        return position
    }

    private func pass(_ frames: Int) throws(SoundFileError) -> Int {
        let pieceFrames = 8192
        let piece = Buffer<Float>(
            count: pieceFrames * bytesPerFrame / MemoryLayout<Float>.stride, repeating: 0)
        var passed = 0
        while passed < frames {
            let count = try read(min(pieceFrames, frames - passed), into: piece.start)
            if count == 0 { break }
            passed += count
        }
        return passed
    }
}
