/// A part of the sound that a kernel keeps: of a loop or of a held chord.
///
/// A replay that lacks the beginning of a session also lacks the sound that was recorded before it.
/// The engine stores parts of that sound from time to time, between two calls. In a replay, the
/// kernel receives each part after the same call. It then has the same sound there, and what it
/// changes later is equal too.
public struct SoundPart: BitwiseCopyable {
    /// The largest number of samples of a part.
    public static var capacity: Int { @_noLocks get { 1024 } }

    /// The place of the part, in numbers that only the kernel knows.
    public let place: UInt64
    /// More about the place.
    public let detail: UInt64
    // SAFETY: the samples are those of the kernel, which neither runs nor changes while the engine
    // copies them, or those of a box, while the kernel copies them.
    /// The first sample.
    public let start: UnsafePointer<Float>
    /// The number of samples; 0 if the kernel has not found the next part yet.
    public let count: Int

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - detail: More about the place.
    ///   - start: The first sample.
    ///   - count: The number of samples.
    @_noLocks
    public init(
        place: UInt64, detail: UInt64, start: UnsafePointer<Float>, count: Int
    ) {
        self.place = place
        self.detail = detail
        self.start = start
        self.count = count
    }
}
