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
        bytes.reduce(hash) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
