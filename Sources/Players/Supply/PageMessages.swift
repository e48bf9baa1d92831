/// What the audio thread asks of the one that reads.
struct PageRequest: BitwiseCopyable, Sendable {
    /// Which sound of the player; below 0 it is word of something else.
    var item: Int32
    var page: Int32
    /// Where it goes.
    var slot: Int32

    /// That the player came to its end.
    @_noLocks static func ended() -> Self { Self(item: -1, page: 0, slot: 0) }
    /// That frames were silent because they came too late.
    @_noLocks static func starved(frames: Int) -> Self {
        Self(item: -2, page: Int32(clamping: frames), slot: 0)
    }
}

/// A page that was read.
struct PageReply: BitwiseCopyable, Sendable {
    var item: Int32
    var page: Int32
    var slot: Int32
    /// How much of it is sound; below 0 where it was not read, since another was asked for after it.
    var frameCount: Int32
    /// Whether the item ends in it, where nobody knew its length before.
    var isLast: Bool
    /// How long the item is as far as its source knows, in frames; 0 where it does not.
    var knownFrames: Int
}

/// How long pages are, in frames.
enum PageLength {
    static var frames: Int { @_noLocks get { 8192 } }
}
