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
