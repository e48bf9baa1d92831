/// An error with a file or a program.
struct Failure: Error {
    let reason: String
}

/// Returns a WAV file with 32-bit floats from the samples of each channel.
func waveFile(_ channels: [[Float]], sampleRate: Int32) -> [UInt8] {
    func bytes(_ value: Int32) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    let frameBytes = 4 * channels.count
    let dataBytes = Int32(channels[0].count * frameBytes)
    var file = Array("RIFF".utf8) + bytes(36 + dataBytes) + Array("WAVEfmt ".utf8) + bytes(16)
    // Format 3 is float.
    file += [3, 0, UInt8(channels.count), 0] + bytes(sampleRate)
    file += bytes(Int32(frameBytes) * sampleRate) + [UInt8(frameBytes), 0, 32, 0]
    file += Array("data".utf8) + bytes(dataBytes)
    for frame in channels[0].indices {
        for channel in channels { file += bytes(Int32(bitPattern: channel[frame].bitPattern)) }
    }
    return file
}

/// Returns the samples of each channel of a WAV file with 32-bit floats.
func waveSamples(_ file: [UInt8], channelCount: Int) throws -> [[Float]] {
    func word(_ offset: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(file[offset + $1]) << UInt32(8 * $1) }
    }
    var chunk = 12
    while chunk + 8 <= file.count {
        let length = Int(word(chunk + 4))
        if Array(file[chunk..<chunk + 4]) == Array("data".utf8) {
            let end = min(chunk + 8 + length, file.count - 4 * channelCount + 1)
            return (0..<channelCount).map { channel in
                stride(from: chunk + 8, to: end, by: 4 * channelCount).map {
                    Float(bitPattern: word($0 + 4 * channel))
                }
            }
        }
        chunk += 8 + length + length % 2
    }
    throw Failure(reason: "The WAV file has no data.")
}
