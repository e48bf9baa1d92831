internal import Glibc

/// The properties of a file that change whenever it is written, replaced or touched.
struct FileSignature: Equatable {
    /// The length in bytes.
    let bytes: Int
    private let device: UInt
    private let node: UInt
    private let changed: [Int]

    /// The FNV-1a hash of all properties.
    var hash: UInt64 {
        let words = [bytes, Int(truncatingIfNeeded: node)] + changed
        return words.reduce(0xcbf2_9ce4_8422_2325) {
            ($0 ^ UInt64(truncatingIfNeeded: $1)) &* 0x100_0000_01b3
        }
    }

    /// Creates the signature of the file at a path; `nil` if it does not exist.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        bytes = Int(status.st_size)
        device = UInt(status.st_dev)
        node = UInt(status.st_ino)
        changed = [
            status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
            status.st_ctim.tv_nsec,
        ]
    }
}
