internal import Glibc

/// Which part of which file a player plays, at which rate and with how many channels.
struct ItemRegion: Hashable, Sendable {
    var path: String
    /// Frames a second of what is played, whatever the file's own.
    var sampleRate: Double
    var channels: Int
    /// Frames of the whole file that are left out before, at the rate that is played.
    var startFrame = 0
    /// The frame of the whole file that is not played any more; nil for its end.
    var endFrame: Int?
}

/// What tells whether a file is still the one it was.
struct FileStamp: Hashable, Sendable {
    private let seconds: Int
    private let nanoseconds: Int
    private let bytes: Int

    /// The stamp of the file now; nil where there is none.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        // Its members belong to a module that cannot be named.
        (seconds, nanoseconds) = withUnsafeBytes(of: status.st_mtim) {
            ($0.load(as: Int.self), $0.load(fromByteOffset: 8, as: Int.self))
        }
        bytes = Int(status.st_size)
    }
}
