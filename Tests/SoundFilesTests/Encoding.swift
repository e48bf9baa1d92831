import Glibc
import SoundFiles
import TestSignals

extension ScratchFolder {
    /// Converts a file to another format with `ffmpeg`, and returns the new path.
    func encode(_ path: String, to name: String, _ options: [String]) throws -> String {
        let result = file(name)
        var arguments = ["-nostdin", "-v", "error", "-y", "-i", path]
        arguments += options + ["file:" + result]
        guard Self.ffmpeg(arguments) else { throw NotMade(name: name) }
        return result
    }

    /// The error for a file that `encode` could not create.
    struct NotMade: Error {
        let name: String
    }

    private static func ffmpeg(_ arguments: [String]) -> Bool {
        var words: [UnsafeMutablePointer<CChar>?] = (["ffmpeg"] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var child = pid_t()
        guard posix_spawnp(&child, "ffmpeg", nil, nil, words, environ) == 0 else { return false }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }
}

/// Returns a sweep with noise, so that every position is different.
func sweep(frames: Int, sampleRate: Double) -> [Float] {
    let noise = whiteNoise(amplitude: 0.1, frames: frames)
    return (0..<frames).map { frame in
        let time = Double(frame) / sampleRate
        return Float(0.4 * sin(2 * .pi * (100 * time + 300 * time * time))) + noise[frame]
    }
}

extension FrameSource {
    /// Returns the next frames' samples, interleaved.
    func samples(_ frames: Int) throws -> [Float] {
        var result = [Float](repeating: .nan, count: frames * channels)
        let count = try result.withUnsafeMutableBufferPointer { buffer in
            try buffer.baseAddress.map { try read(frames, into: $0) } ?? 0
        }
        return Array(result[..<(count * channels)])
    }
}
