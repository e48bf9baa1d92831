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
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
        bytes = Int(status.st_size)
    }
}
