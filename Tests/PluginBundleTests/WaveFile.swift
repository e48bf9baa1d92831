/// What went wrong with a file or a program.
struct Failure: Error {
    let reason: String
}

/// A mono WAV file of 32-bit floats.
func waveFile(_ samples: [Float], sampleRate: Int32) -> [UInt8] {
    func bytes(_ value: Int32) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    let dataBytes = Int32(samples.count * 4)
    var file = Array("RIFF".utf8) + bytes(36 + dataBytes) + Array("WAVEfmt ".utf8) + bytes(16)
    // Format 3 is float, in one channel.
    file += [3, 0, 1, 0] + bytes(sampleRate) + bytes(4 * sampleRate) + [4, 0, 32, 0]
    file += Array("data".utf8) + bytes(dataBytes)
    for sample in samples { file += bytes(Int32(bitPattern: sample.bitPattern)) }
    return file
}

/// The samples of a mono WAV file of 32-bit floats.
func waveSamples(_ file: [UInt8]) throws -> [Float] {
    func word(_ offset: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(file[offset + $1]) << UInt32(8 * $1) }
    }
    var chunk = 12
    while chunk + 8 <= file.count {
        let length = Int(word(chunk + 4))
        if Array(file[chunk..<chunk + 4]) == Array("data".utf8) {
            return stride(from: chunk + 8, to: min(chunk + 8 + length, file.count - 3), by: 4).map {
                Float(bitPattern: word($0))
            }
        }
        chunk += 8 + length + length % 2
    }
    throw Failure(reason: "The WAV file has no data.")
}
