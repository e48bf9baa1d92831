/// A request of the audio thread to the reader.
struct PageRequest: BitwiseCopyable, Sendable {
    /// The number of the item; a negative value marks a report instead of a request.
    var item: Int32
    var page: Int32
    /// The slot that receives the page.
    var slot: Int32

    /// Reports that the player has reached its end.
    @_noLocks static func ended() -> Self { Self(item: -1, page: 0, slot: 0) }
    /// Reports frames that were silent because their pages arrived too late.
    @_noLocks static func starved(frames: Int) -> Self {
        Self(item: -2, page: Int32(clamping: frames), slot: 0)
    }
    /// Releases a removed item: the audio thread, which uses this version of the list, does not need
    /// the item any more.
    @_noLocks static func released(item: Int, version: Int) -> Self {
        Self(item: -3, page: Int32(item), slot: Int32(clamping: version))
    }
}

/// The reply for a page.
struct PageReply: BitwiseCopyable, Sendable {
    var item: Int32
    var page: Int32
    var slot: Int32
    /// The number of frames read; negative if a later request cancelled this one.
    var frameCount: Int32
    /// Whether the item ends in this page; for items whose length was not known before.
    var isLast: Bool
    /// The item's length in frames as far as its source knows it; otherwise 0.
    var knownFrames: Int
}

/// The length of a page in frames.
enum PageLength {
    static var frames: Int { @_noLocks get { 8192 } }
}
