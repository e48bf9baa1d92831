internal import Glibc

/// The file with the samples of the sound that nodes keep: floats of 32 bits, little-endian.
enum BoxSounds {
    /// The name of the file in a box.
    static let fileName = "sounds.f32"
    /// The number of samples that are converted at once.
    private static let samplesPerPart = 1 << 16

    /// Writes the file; throws `BoxError` if that fails.
    static func write(_ samples: [Float], to path: String) throws(BoxError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw BoxError.notWritten(path) }
        guard let file = fdopen(descriptor, "w") else {
            close(descriptor)
            throw BoxError.notWritten(path)
        }
        for first in stride(from: 0, to: samples.count, by: samplesPerPart) {
            let end = min(first + samplesPerPart, samples.count)
            let words = samples[first..<end].map(\.bitPattern.littleEndian)  // checked: the count
            words.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, file) }
        }
        let isWhole = fflush(file) == 0 && ferror(file) == 0 && fsync(descriptor) == 0
        guard fclose(file) == 0, isWhole else { throw BoxError.notWritten(path) }
    }

    /// Returns the samples in the bytes of a file; bytes at the end that are no sample are skipped.
    static func samples(in bytes: [UInt8]) -> [Float] {
        bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { index in
                let word = bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
                return Float(bitPattern: UInt32(littleEndian: word))
            }
        }
    }
}
