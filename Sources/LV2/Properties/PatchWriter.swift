/// Appends messages about properties to an event input, at the first frame of its run.
struct PatchWriter {
    // SAFETY: nothing is written before the room for all of it was found.

    /// Bytes of an event's time and of its atom's header.
    private static var headerBytes: Int { @_noLocks get { 16 } }

    let terms: PatchTerms
    /// A sequence of atoms, ready to take events.
    let memory: UnsafeMutableRawPointer
    /// Bytes of the memory.
    let capacity: UInt32

    /// Appends `patch:Set`; false where there is no room.
    @_noLocks
    func set(_ property: UInt32, _ type: UInt32, _ body: UnsafeRawPointer, byteCount: UInt32)
        -> Bool
    {
        let bodyBytes = (Int(byteCount) + 7) & ~7
        guard let object = append(terms.set, about: property, more: 16 + bodyBytes) else {
            return false
        }
        let value = object + 32
        store(terms.value, 0, byteCount, type, at: value)
        (value + 16).initializeMemory(as: UInt8.self, repeating: 0, count: bodyBytes)
        (value + 16).copyMemory(from: body, byteCount: Int(byteCount))
        return true
    }

    /// Appends `patch:Get`; false where there is no room.
    @_noLocks
    func get(_ property: UInt32) -> Bool { append(terms.get, about: property, more: 0) != nil }

    /// Appends an object of some type with the property that it is about, and room for more bytes.
    ///
    /// - Returns: Where the object's body is; nil where there is no room.
    @_noLocks
    private func append(_ type: UInt32, about property: UInt32, more: Int)
        -> UnsafeMutableRawPointer?
    {
        let used = memory.load(as: UInt32.self)
        let place = 8 + (Int(used) + 7) & ~7
        let objectBytes = 32 + more
        let end = place + Self.headerBytes + objectBytes
        guard end <= Int(capacity) else { return nil }
        let event = memory + place
        store(0, 0, UInt32(objectBytes), terms.object, at: event)
        let object = event + Self.headerBytes
        object.storeBytes(of: 0, as: UInt32.self)
        object.storeBytes(of: type, toByteOffset: 4, as: UInt32.self)
        store(terms.property, 0, 4, terms.urid, at: object + 8)
        object.storeBytes(of: property, toByteOffset: 24, as: UInt32.self)
        object.storeBytes(of: 0, toByteOffset: 28, as: UInt32.self)
        memory.storeBytes(of: UInt32(end - 8), as: UInt32.self)
        return object
    }

    @_noLocks
    private func store(
        _ first: UInt32, _ second: UInt32, _ third: UInt32, _ fourth: UInt32,
        at place: UnsafeMutableRawPointer
    ) {
        place.storeBytes(of: first, as: UInt32.self)
        place.storeBytes(of: second, toByteOffset: 4, as: UInt32.self)
        place.storeBytes(of: third, toByteOffset: 8, as: UInt32.self)
        place.storeBytes(of: fourth, toByteOffset: 12, as: UInt32.self)
    }
}
