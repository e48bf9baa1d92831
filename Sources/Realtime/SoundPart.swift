/// A part of the sound that a kernel keeps: of a loop or of a held chord.
///
/// A replay that lacks the beginning of a session also lacks the sound that was recorded before it.
/// The engine stores parts of that sound from time to time, between two calls. In a replay, the
/// kernel receives each part after the same call. It then has the same sound there, and what it
/// changes later is equal too.
public struct SoundPart: BitwiseCopyable {
    /// The largest number of samples of a part.
    public static var capacity: Int { @_noLocks get { 1024 } }

    /// Where the part belongs, in a form that only the kernel understands.
    public let address: UInt64
    /// The second word of the address.
    public let secondAddress: UInt64
    // SAFETY: the samples are those of the kernel, which neither runs nor changes while the engine
    // copies them, or those of a box, while the kernel copies them.
    /// The first sample.
    public let start: UnsafePointer<Float>
    /// The number of samples; 0 if the kernel has not found the next part yet.
    public let count: Int

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - address: Where the part belongs.
    ///   - secondAddress: The second word of the address.
    ///   - start: The first sample.
    ///   - count: The number of samples.
    @_noLocks
    public init(
        address: UInt64, secondAddress: UInt64, start: UnsafePointer<Float>, count: Int
    ) {
        self.address = address
        self.secondAddress = secondAddress
        self.start = start
        self.count = count
    }
}
