internal import Glibc
internal import Platform

/// Reads a file in pieces: to copy it, or for its checksum.
struct FileCopy {
    private static let pieceBytes = 1 << 20

    /// The number of bytes.
    private(set) var byteCount = 0
    /// The checksum of the bytes (FNV-1a, 64 bits, over words of eight bytes).
    private var sum: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The checksum as 16 hexadecimal digits.
    var checksum: String {
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Reads a whole file; `nil`, with the reason in `SystemError.last`, if it cannot be read or the
    /// copy cannot be written.
    ///
    /// - Parameters:
    ///   - source: The open file; its position does not matter and does not change.
    ///   - target: The path of a new file for a copy; `nil` for none.
    init?(of source: Int32, to target: String?) {
        var copy: Int32 = -1
        if let target {
            copy = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard copy >= 0 else { return nil }
        }
        let isWhole = read(source, copy)
        let isOnDisk = copy < 0 || fsync(copy) == 0
        if copy >= 0 { close(copy) }
        guard isWhole, isOnDisk else {
            if let target { unlink(target) }
            return nil
        }
    }

    private mutating func read(_ source: Int32, _ copy: Int32) -> Bool {
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        while true {
            let count = pread(source, &piece, piece.count, off_t(byteCount))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 }
            add(piece[..<count])
            byteCount += count
            var rest = piece[..<count]
            while copy >= 0, !rest.isEmpty {
                let written = rest.withUnsafeBytes { write(copy, $0.baseAddress, $0.count) }
                if written < 0, errno != EINTR { return false }
                rest = rest.dropFirst(max(0, written))
            }
        }
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { bytes in
            var index = 0
            while index + 8 <= bytes.count {
                sum ^= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                sum = sum &* 0x0000_0100_0000_01B3
                index += 8
            }
            while index < bytes.count {
                sum = (sum ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3
                index += 1
            }
        }
    }
}
