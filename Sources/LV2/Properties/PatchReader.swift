/// A reader that finds `patch:Set` messages with numbers in a plugin's events.
///
/// The events may be malformed.
struct PatchReader {
    // SAFETY: an event's body is entirely within its buffer, and each size in it is checked against
    // the body's size.

    private let terms: PatchTerms
    private let buffer: UnsafePointer<EventBuffer>
    private var last: EventBuffer.Event?

    /// A property and its number.
    struct PropertyNumber {
        let property: UInt32
        let number: Float
    }

    /// Creates a reader for the events that a run left in an output buffer, which must outlive the
    /// reader.
    @_noLocks
    init(_ terms: PatchTerms, _ buffer: UnsafePointer<EventBuffer>) {
        self.terms = terms
        self.buffer = buffer
    }

    /// Returns the next number that the plugin sent; `nil` after the last.
    @_noLocks
    mutating func next() -> PropertyNumber? {
        while let event = buffer.pointee.event(after: last) {
            last = event
            let isObject =
                event.type == terms.object || event.type == terms.blank
                || event.type == terms.resource
            if isObject, let propertyNumber = propertyNumber(event.body, Int(event.byteCount)) {
                return propertyNumber
            }
        }
        return nil
    }

    /// Reads the number that an object sets; `nil` if the object is not such a message.
    @_noLocks
    private func propertyNumber(_ object: UnsafeRawPointer, _ byteCount: Int) -> PropertyNumber? {
        guard byteCount >= 8, word(object + 4) == terms.set else { return nil }
        var property: UInt32 = 0
        var number: Float?
        var at = 8
        while at + 16 <= byteCount {
            let key = word(object + at), bytes = Int(word(object + at + 8))
            let type = word(object + at + 12), value = object + at + 16
            guard at + 16 + bytes <= byteCount else { return nil }
            if key == terms.property, type == terms.urid, bytes >= 4 { property = word(value) }
            if key == terms.value { number = self.number(value, type, bytes) }
            at += 16 + (bytes + 7) & ~7
        }
        guard property != 0, let number, number.isFinite else { return nil }
        return PropertyNumber(property: property, number: number)
    }

    @_noLocks
    private func number(_ value: UnsafeRawPointer, _ type: UInt32, _ byteCount: Int) -> Float? {
        guard byteCount >= 4 else { return nil }
        if type == terms.float { return value.load(as: Float.self) }
        if type == terms.int { return Float(Int32(bitPattern: word(value))) }
        if type == terms.bool { return word(value) == 0 ? 0 : 1 }
        guard byteCount >= 8 else { return nil }
        if type == terms.double { return Float(value.load(as: Double.self)) }
        return type == terms.long ? Float(value.load(as: Int64.self)) : nil
    }

    @_noLocks
    private func word(_ address: UnsafeRawPointer) -> UInt32 { address.load(as: UInt32.self) }
}
