internal import Realtime
internal import Synchronization

/// A sound of a player, in the form that the audio thread uses.
struct PlaylistSound: BitwiseCopyable, @unchecked Sendable {
    // SAFETY: the samples of a clip do not change while the clip exists.

    /// The length in frames; `.max` if it is not known.
    var frameCount: Int
    var gain: Float
    /// All samples, one channel after the other; `nil` if the sound is read in pages.
    var clip: UnsafePointer<Float>?
    /// Whether the sound is a network stream, which arrives in order.
    var isStream = false
    /// The length that the stream reports, in frames; 0 if the stream has no end.
    var knownFrames = 0
}

/// One version of a player's list of sounds, in the form that the audio thread uses.
///
/// The audio thread owns a table from the moment it starts to use it until it uses a newer one.
struct PlaylistTable: ~Copyable {
    /// A sound that is in the list, or that has been removed from it and may still be needed.
    ///
    /// Its index is the same in all versions while the sound is needed.
    struct Entry: BitwiseCopyable {
        var sound = PlaylistSound(frameCount: 0, gain: 0, clip: nil)
        /// The number in the list, from 0; -1 if the sound is not in the list.
        var number = -1
        /// The index in the playing order; for a removed sound, the index of the sound that now
        /// follows it.
        var turn = 0
        /// Whether the sound has been removed, and the reader waits until it is no longer needed.
        var isLeaving = false
    }

    /// The number of the version; newer versions have higher numbers.
    let version: Int
    // SAFETY: `PlaylistFiles` keeps the clips of all entries alive, until the audio thread has
    // released them.
    let entries: Buffer<Entry>
    /// The index of each sound of the list in `entries`, in playing order.
    let order: Buffer<Int>
}

/// The place where a newer table waits until the audio thread uses it.
struct PlaylistOffer: ~Copyable {
    /// The address of the offered table; 0 without an offer.
    private let address = Atomic<UInt>(0)
    /// The version of the table that the audio thread uses.
    private let usedVersion = Atomic<Int>(0)

    /// Offers a table.
    ///
    /// - Returns: The address of the previous offer if the audio thread has not taken it; 0
    ///   otherwise. The audio thread can no longer take that table, so the caller may free it.
    func put(_ table: UnsafeMutablePointer<PlaylistTable>) -> UInt {
        address.exchange(UInt(bitPattern: table), ordering: .acquiringAndReleasing)
    }

    /// The version of the oldest table that the audio thread may still use.
    var oldestVersion: Int { usedVersion.load(ordering: .acquiring) }

    /// Removes and returns the offered table; `nil` without an offer.
    @_noLocks
    func take() -> UnsafeMutablePointer<PlaylistTable>? {
        guard address.load(ordering: .relaxed) != 0 else { return nil }
        return UnsafeMutablePointer(bitPattern: address.exchange(0, ordering: .acquiring))
    }

    /// Notes that the audio thread no longer uses older tables.
    @_noLocks
    func markUsed(version: Int) { usedVersion.store(version, ordering: .releasing) }
}
