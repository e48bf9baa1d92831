/// The song and the scene with which a session begins.
public struct StartingPoint: Sendable, Equatable {
    /// The index of the song.
    public var song: Int
    /// The index of the scene among the song's scenes; `nil` for the song's own initial scene.
    public var scene: Int?
    /// The values of a former run; `nil` for the values in the files.
    public var resumed: ResumedValues?

    /// Creates a starting point: by default, the first song with its own initial scene.
    public init(song: Int = 0, scene: Int? = nil, resumed: ResumedValues? = nil) {
        self.song = song
        self.scene = scene
        self.resumed = resumed
    }
}
