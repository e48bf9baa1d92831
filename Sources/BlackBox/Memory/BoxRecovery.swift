internal import Engine
internal import Glibc
internal import Platform

/// Reads the memory of a crashed program, and locks it so that no other program recovers it too.
final class BoxRecovery {
    /// The folder of the memory.
    let folder: String
    /// The records of the store, followed by the records that were still in the ring.
    let words: [UInt64]
    private let descriptor: Int32

    /// Reads the memory in a folder.
    ///
    /// - Returns: `nil` if the program still runs, or if the file has another format.
    init?(folder: String) {
        self.folder = folder
        let path = "\(folder)/\(BoxMemory.fileName)"
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0,
            let bytes = FileBytes.read(path, limit: 1 << 31), let words = Self.words(of: bytes)
        else {
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
        self.words = words
    }

    deinit { close(descriptor) }

    /// Returns the records in a memory file; `nil` if the format is not valid.
    static func words(of bytes: [UInt8]) -> [UInt64]? {
        bytes.withUnsafeBytes { file in
            guard file.count >= BoxMemory.pageBytes + CaptureRing.headerBytes else { return nil }
            func word(_ offset: Int) -> UInt64 {
                file.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            }
            guard word(0) == BoxMemory.magic, let ringWords = Int(exactly: word(8)),
                let storeWords = Int(exactly: word(16)), ringWords > 0, storeWords > 0,
                ringWords <= 1 << 28, storeWords <= 1 << 28,
                ringWords & (ringWords - 1) == 0
            else { return nil }
            let storeOffset = BoxMemory.storeOffset(ringWords: ringWords)
            guard file.count >= storeOffset + storeWords * 8 else { return nil }
            var result: [UInt64] = []
            let ring = BoxMemory.pageBytes
            func append(_ from: UInt64, _ to: UInt64, _ offset: Int, _ count: Int) {
                guard to >= from, to - from <= UInt64(count) else { return }
                for position in from..<to {
                    let index = Int(position % UInt64(count))
                    result.append(word(offset + index * 8))
                }
            }
            append(word(24), word(32), storeOffset, storeWords)
            append(word(ring + 64), word(ring), ring + CaptureRing.headerBytes, ringWords)
            return result
        }
    }

    /// Returns the folders of crashed programs.
    static func folders(in parent: String) -> [String] {
        UserFolder.names(in: parent).map { "\(parent)/\($0)" }.filter { folder in
            let path = "\(folder)/\(BoxMemory.fileName)"
            let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            return flock(descriptor, LOCK_EX | LOCK_NB) == 0
        }
    }
}
