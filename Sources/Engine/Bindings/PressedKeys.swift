/// The computer keys that were pressed since the last call, in order.
struct PressedKeys: BitwiseCopyable {
    /// The maximum number of keys; further ones are ignored.
    private static var capacity: Int { @_noLocks get { 8 } }

    /// Each key in eight bits, the first one lowest.
    private var keys: UInt64 = 0
    private var count = 0

    var isEmpty: Bool { @_noLocks get { count == 0 } }

    /// Appends a key by its number, from 0 through 127; ignores others.
    @_noLocks
    mutating func append(_ key: Int32) {
        guard (0...127).contains(key), count < Self.capacity else { return }
        keys |= UInt64(UInt8(clamping: key)) &<< UInt64(8 * count)
        count += 1
    }

    /// Removes and returns the first key.
    @_noLocks
    mutating func popFirst() -> Int32? {
        guard count > 0 else { return nil }
        defer {
            keys = keys &>> 8
            count -= 1
        }
        return Int32(keys & 0xFF)
    }
}
