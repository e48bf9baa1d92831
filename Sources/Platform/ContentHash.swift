/// A hash that notices whether a content has changed; it does not protect against intent.
public enum ContentHash {
    /// The hash of no bytes.
    public static let start: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Returns the 64-bit FNV-1a hash of bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - hash: The hash of the bytes before them.
    /// - Returns: The hash.
    public static func fnv1a(_ bytes: some Sequence<UInt8>, after hash: UInt64 = start) -> UInt64 {
        // Other modules call this function without specialization, so the loop is over bytes in memory.
        bytes.withContiguousStorageIfAvailable { after(hash, $0) }
            ?? bytes.reduce(hash) { next($0, $1) }
    }

    private static func after(_ hash: UInt64, _ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash = hash
        for byte in bytes { hash = next(hash, byte) }
        return hash
    }

    private static func next(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
}
