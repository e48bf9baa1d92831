/// Finds `patch:Set` messages with numbers among a plugin's events, which are not trusted to be well made.
struct PatchReader {
    // SAFETY: every read is within the memory: `end` never lies behind it, and each size is checked against it.

    let terms: PatchTerms
    private let memory: UnsafeRawPointer
    /// Bytes of events and what is before them.
    private let end: Int
    /// Where the next event is, in bytes.
    private var place = 16

    /// A property and its number.
    struct Told {
        let property: UInt32
        let number: Float
    }

    /// A reader of what a run left in an output buffer of some bytes.
    @_noLocks
    init(_ terms: PatchTerms, memory: UnsafeRawPointer, capacity: UInt32) {
        self.terms = terms
        self.memory = memory
        let isSequence = memory.load(fromByteOffset: 4, as: UInt32.self) == terms.sequence
        end = isSequence ? min(Int(capacity), 8 + Int(memory.load(as: UInt32.self))) : 0
    }

    /// The next number that the plugin tells; nil after the last.
    @_noLocks
    mutating func next() -> Told? {
        while place + 16 <= end {
            let byteCount = Int(word(place + 8)), type = word(place + 12)
            let body = place + 16
            guard body + byteCount <= end else { return nil }
            place = body + (byteCount + 7) & ~7
            let isObject = type == terms.object || type == terms.blank || type == terms.resource
            if isObject, let told = told(body, end: body + byteCount) { return told }
        }
        return nil
    }

    /// What an object tells; nil where it is no message that sets a number.
    @_noLocks
    private func told(_ object: Int, end: Int) -> Told? {
        guard object + 8 <= end, word(object + 4) == terms.set else { return nil }
        var property: UInt32 = 0
        var number: Float?
        var at = object + 8
        while at + 16 <= end {
            let byteCount = Int(word(at + 8)), type = word(at + 12)
            guard at + 16 + byteCount <= end else { return nil }
            if word(at) == terms.property, type == terms.urid, byteCount >= 4 {
                property = word(at + 16)
            }
            if word(at) == terms.value { number = self.number(at + 16, type, byteCount) }
            at += 16 + (byteCount + 7) & ~7
        }
        guard property != 0, let number, number.isFinite else { return nil }
        return Told(property: property, number: number)
    }

    @_noLocks
    private func number(_ place: Int, _ type: UInt32, _ byteCount: Int) -> Float? {
        guard byteCount >= 4 else { return nil }
        if type == terms.float { return memory.load(fromByteOffset: place, as: Float.self) }
        if type == terms.int { return Float(Int32(bitPattern: word(place))) }
        if type == terms.bool { return word(place) == 0 ? 0 : 1 }
        guard byteCount >= 8 else { return nil }
        if type == terms.double {
            return Float(memory.load(fromByteOffset: place, as: Double.self))
        }
        return type == terms.long
            ? Float(memory.load(fromByteOffset: place, as: Int64.self)) : nil
    }

    @_noLocks
    private func word(_ place: Int) -> UInt32 {
        memory.load(fromByteOffset: place, as: UInt32.self)
    }
}
