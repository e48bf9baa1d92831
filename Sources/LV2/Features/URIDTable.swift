internal import CLilv
internal import Glibc
internal import Synchronization

/// The table of URIs and their numbers (URIDs) of this process, for `urid:map` and `urid:unmap`.
///
/// Finding an existing URI needs no lock, because some plugins map URIs during their run. The table
/// only grows, so a reader never accesses a freed entry.
package enum URIDTable {
    /// The maximum number of URIs.
    ///
    /// Beyond it, `map` returns 0, which the specification defines as failure. Some plugins map
    /// more than ten thousand URIs, one for each of their ports and states.
    package static let capacity = 1 << 17

    /// Returns the number of a URI, from 1; 0 if the table is full.
    package static func map(_ uri: String) -> UInt32 { uri.withCString { map(cString: $0) } }

    /// Returns the URI of a number; `nil` if the number was never assigned.
    package static func unmap(_ urid: UInt32) -> String? {
        unmap(cStringOf: urid).map { String(cString: $0) }
    }

    static func map(cString uri: UnsafePointer<CChar>) -> UInt32 {
        let known = storage.find(uri)
        return known != 0 ? known : growing.withLock { _ in storage.add(uri) }
    }

    static func unmap(cStringOf urid: UInt32) -> UnsafePointer<CChar>? { storage.uri(urid) }

    private static let storage = URIDStorage(capacity: capacity)
    private static let growing = Mutex(())
}

/// The memory of the table: URIs by number, and an open-addressed index by hash.
///
/// Both only grow.
private struct URIDStorage: @unchecked Sendable {
    // SAFETY: an entry is complete before it is stored with release, and is never changed or freed
    // later; writers hold the table's lock.
    private let uris: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<CChar>?>>
    private let index: UnsafeMutablePointer<Atomic<UInt32>>
    private let count: UnsafeMutablePointer<UInt32>
    private let capacity: Int
    /// The mask for positions in the index, which is at most half full.
    private let indexMask: Int

    init(capacity: Int) {
        self.capacity = capacity
        indexMask = capacity * 2 - 1
        uris = zeroed(capacity)
        index = zeroed(capacity * 2)
        count = .allocate(capacity: 1)
        count.initialize(to: 0)
    }

    @_noLocks
    func find(_ uri: UnsafePointer<CChar>) -> UInt32 {
        var position = hash(uri)
        while true {
            let urid = index[position].load(ordering: .acquiring)
            if urid == 0 || isEqual(uri, urid) { return urid }
            position = (position + 1) & indexMask
        }
    }

    @_noLocks
    func uri(_ urid: UInt32) -> UnsafePointer<CChar>? {
        guard urid > 0, Int(urid) <= capacity else { return nil }
        return UnsafePointer(uris[Int(urid) - 1].load(ordering: .acquiring))
    }

    /// Adds a URI, unless another thread has added it in the meantime; returns its number, or 0 if
    /// the table is full.
    ///
    /// The caller holds the lock.
    func add(_ uri: UnsafePointer<CChar>) -> UInt32 {
        let known = find(uri)
        guard known == 0, Int(count.pointee) < capacity, let copy = strdup(uri) else {
            return known
        }
        count.pointee += 1
        uris[Int(count.pointee) - 1].store(copy, ordering: .releasing)
        var position = hash(uri)
        while index[position].load(ordering: .relaxed) != 0 {
            position = (position + 1) & indexMask
        }
        index[position].store(count.pointee, ordering: .releasing)
        return count.pointee
    }

    /// Returns the FNV-1a hash of a URI, folded to a position in the index.
    @_noLocks
    private func hash(_ uri: UnsafePointer<CChar>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var at = uri
        while at.pointee != 0 {
            hash = (hash ^ UInt64(UInt8(bitPattern: at.pointee))) &* 0x100_0000_01B3
            at += 1
        }
        return Int(truncatingIfNeeded: hash ^ hash >> 32) & indexMask
    }

    @_noLocks
    private func isEqual(_ uri: UnsafePointer<CChar>, _ urid: UInt32) -> Bool {
        guard let other = self.uri(urid) else { return false }
        var offset = 0
        while uri[offset] == other[offset] {
            if uri[offset] == 0 { return true }
            offset += 1
        }
        return false
    }
}

/// Allocates elements that are all `nil` or 0; pages that are never accessed use no memory.
private func zeroed<Element: ~Copyable>(_ count: Int) -> UnsafeMutablePointer<Element> {
    guard let memory = calloc(count, MemoryLayout<Element>.stride) else {
        preconditionFailure("no memory for the table of URIs")
    }
    // SAFETY: all bits of an atomic `nil` or 0 are zero.
    return memory.bindMemory(to: Element.self, capacity: count)
}
