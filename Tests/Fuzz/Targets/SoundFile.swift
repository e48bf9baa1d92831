@testable internal import SoundFiles

extension FuzzTarget {
    /// Headers and tags of sound files, as our reader receives them from libsndfile.
    static let soundFile = FuzzTarget(
        name: "sound-file",
        run: { bytes in
            let path = InputFile.inMemory(bytes)
            _ = MP3Tag.isThere(path: path)
            guard let reader = try? SoundFileReader(path: path) else { return }
            require(reader.channels > 0 && reader.sampleRate > 0, "the reader's format is none")
            require(reader.frameCount >= 0, "the reader has \(reader.frameCount) frames")
            let frames = 256
            let samples = UnsafeMutablePointer<Float>.allocate(
                capacity: frames * reader.channels)
            defer { samples.deallocate() }
            for frame in [0, reader.frameCount / 2, reader.frameCount - 1, 0] {
                guard (try? reader.seek(to: frame)) != nil,
                    let count = try? reader.read(frames, into: samples)
                else { return }
                require((0...frames).contains(count), "\(count) frames were read")
            }
        },
        seeds: {
            let wave =
                Array("RIFF".utf8) + [52, 0, 0, 0] + Array("WAVEfmt ".utf8)
                + [16, 0, 0, 0, 1, 0, 1, 0, 0x80, 0xBB, 0, 0, 0, 0x77, 1, 0, 2, 0, 16, 0]
                + Array("data".utf8) + [16, 0, 0, 0] + [UInt8](repeating: 3, count: 16)
            let tagged =
                Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 10] + [UInt8](repeating: 0, count: 10)
                + [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 32) + Array("Xing".utf8)
                + [UInt8](repeating: 0, count: 400)
            let sun =
                Array(".snd".utf8) + [
                    0, 0, 0, 24, 0, 0, 0, 8, 0, 0, 0, 3, 0, 0, 0xBB, 0x80, 0, 0, 0, 1,
                ]
                + [1, 2, 3, 4, 5, 6, 7, 8]
            return [wave, tagged, sun]
        })
}
