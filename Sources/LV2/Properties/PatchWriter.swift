/// A writer of messages about properties to an event input, at the first frame of its run.
struct PatchWriter {
    // SAFETY: nothing is written until there is room for the whole message.

    let terms: PatchTerms
    /// An input that is ready for events, and that outlives the writer.
    let buffer: UnsafePointer<EventBuffer>

    /// Appends `patch:Set`; returns `false` if there is no room.
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

    /// Appends `patch:Get`; returns `false` if there is no room.
    @_noLocks
    func get(_ property: UInt32) -> Bool { append(terms.get, about: property, more: 0) != nil }

    /// Appends an object with its type, its property, and room for more bytes.
    ///
    /// - Parameters:
    ///   - type: The URID of the object's type.
    ///   - property: The URID of the property that it refers to.
    ///   - more: The number of additional bytes.
    /// - Returns: The address of the object's body; `nil` if there is no room.
    @_noLocks
    private func append(_ type: UInt32, about property: UInt32, more: Int)
        -> UnsafeMutableRawPointer?
    {
        guard
            let object = buffer.pointee.append(
                frame: 0, type: terms.object, byteCount: 32 + more)
        else { return nil }
        object.storeBytes(of: 0, as: UInt32.self)
        object.storeBytes(of: type, toByteOffset: 4, as: UInt32.self)
        store(terms.property, 0, 4, terms.urid, at: object + 8)
        object.storeBytes(of: property, toByteOffset: 24, as: UInt32.self)
        object.storeBytes(of: 0, toByteOffset: 28, as: UInt32.self)
        return object
    }

    @_noLocks
    private func store(
        _ first: UInt32, _ second: UInt32, _ third: UInt32, _ fourth: UInt32,
        at pointer: UnsafeMutableRawPointer
    ) {
        pointer.storeBytes(of: first, as: UInt32.self)
        pointer.storeBytes(of: second, toByteOffset: 4, as: UInt32.self)
        pointer.storeBytes(of: third, toByteOffset: 8, as: UInt32.self)
        pointer.storeBytes(of: fourth, toByteOffset: 12, as: UInt32.self)
    }
}
