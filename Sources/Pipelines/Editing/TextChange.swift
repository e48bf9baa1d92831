/// The difference of two texts: one range of bytes that another text replaces.
public struct TextChange: Sendable, Equatable {
    /// The offset of the range, in bytes from 0.
    public let offset: Int
    /// The bytes that are replaced.
    public let removed: [UInt8]
    /// The bytes that replace them.
    public let inserted: [UInt8]

    private init(offset: Int, removed: [UInt8], inserted: [UInt8]) {
        self.offset = offset
        self.removed = removed
        self.inserted = inserted
    }

    /// Creates the smallest change of one range that turns a text into another one.
    public init(from old: [UInt8], to new: [UInt8]) {
        let equal = EqualEnds(of: old, new)
        self.init(
            offset: equal.first, removed: Array(old[equal.first...].dropLast(equal.last)),
            inserted: Array(new[equal.first...].dropLast(equal.last)))
    }

    /// The change that restores the old text exactly.
    public var inverse: TextChange {
        TextChange(offset: offset, removed: inserted, inserted: removed)
    }

    /// The memory that the change needs, in bytes.
    public var byteCount: Int { removed.count + inserted.count }

    /// Returns the changed text; `nil` if the text does not have the bytes that are replaced.
    public func applied(to text: [UInt8]) -> [UInt8]? {
        let end = offset + removed.count
        guard end <= text.count, text[offset..<end].elementsEqual(removed) else { return nil }
        return text[..<offset] + inserted + text[end...]
    }
}
