/// The header of a WAV file, or of RF64 if 32 bits cannot count its bytes (EBU Tech 3306).
struct WaveHeader {
    let channelCount: Int
    let sampleRate: Int
    /// The bits per sample: 16, 24, or 32 for float.
    let bits: Int

    /// The number of bytes before the first sample.
    static let byteCount = 92

    var frameBytes: Int { channelCount * bits / 8 }

    /// Returns the header of a file with this number of frames.
    func bytes(frameCount: Int) -> [UInt8] {
        let dataBytes = frameCount * frameBytes
        // A pad byte follows an odd number of bytes; the size of the file includes it, but the size
        // of the chunk does not.
        let fileBytes = Self.byteCount + dataBytes + dataBytes % 2
        let isLong = fileBytes - 8 > Int(UInt32.max) - 1
        var bytes = Bytes()
        bytes.add(isLong ? "RF64" : "RIFF")
        bytes.add(isLong ? Int(UInt32.max) : fileBytes - 8, 4)
        bytes.add("WAVE")
        bytes.add(isLong ? "ds64" : "JUNK")
        bytes.add(28, 4)
        bytes.add(isLong ? fileBytes - 8 : 0, 8)
        bytes.add(isLong ? dataBytes : 0, 8)
        bytes.add(isLong ? frameCount : 0, 8)
        bytes.add(0, 4)
        addFormat(to: &bytes)
        bytes.add("fact")
        bytes.add(4, 4)
        bytes.add(min(frameCount, Int(UInt32.max)), 4)
        bytes.add("data")
        bytes.add(isLong ? Int(UInt32.max) : dataBytes, 4)
        return bytes.all
    }

    private func addFormat(to bytes: inout Bytes) {
        bytes.add("fmt ")
        bytes.add(16, 4)
        bytes.add(bits == 32 ? 3 : 1, 2)
        bytes.add(channelCount, 2)
        bytes.add(sampleRate, 4)
        bytes.add(sampleRate * frameBytes, 4)
        bytes.add(frameBytes, 2)
        bytes.add(bits, 2)
    }

    /// A list of bytes to which numbers are added with the lowest byte first.
    private struct Bytes {
        var all: [UInt8] = []

        mutating func add(_ name: String) { all += name.utf8 }

        mutating func add(_ number: Int, _ count: Int) {
            for index in 0..<count { all.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
        }
    }
}
