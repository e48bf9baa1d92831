internal import Glibc

/// The part of a file that a player plays, with its sample rate and channels.
struct ItemRegion: Hashable, Sendable {
    var path: String
    /// The sample rate of the player in Hz, which can differ from the file's.
    var sampleRate: Double
    var channels: Int
    /// The frames to skip at the beginning of the file, at the player's sample rate.
    var startFrame = 0
    /// The frame of the file at which the part ends; `nil` for the end of the file.
    var endFrame: Int?
}

/// A stamp that shows whether a file has changed.
struct FileStamp: Hashable, Sendable {
    private let seconds: Int
    private let nanoseconds: Int
    private let bytes: Int

    /// Reads the current stamp of a file; returns `nil` if the file does not exist.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        // The type of the member belongs to a module that cannot be imported by name.
        (seconds, nanoseconds) = withUnsafeBytes(of: status.st_mtim) {
            ($0.load(as: Int.self), $0.load(fromByteOffset: 8, as: Int.self))
        }
        bytes = Int(status.st_size)
    }
}
