internal import CLilv
internal import Glibc
internal import Synchronization

/// The process's table of URIs and their numbers (URIDs), for `urid:map` and `urid:unmap`.
///
/// A URI that is in the table already is found without a lock, as some plugins map from their run.
/// The table only ever grows, so a reader never meets a freed entry.
package enum URIDTable {
    /// How many URIs fit; beyond it `map` gives 0, which the specification keeps for failure.
    ///
    /// Some plugins map more than ten thousand, one for each of their ports and states.
    package static let capacity = 1 << 17

    /// The number of a URI, from 1; 0 where the table is full.
    package static func map(_ uri: String) -> UInt32 { uri.withCString { map(cString: $0) } }

    /// The URI of a number, nil where it was never given out.
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

/// The memory of the table: URIs by number, and an open-addressed index by hash, both only ever added to.
private struct URIDStorage: @unchecked Sendable {
    // SAFETY: an entry is complete before it is stored with release, and never changed or freed after;
    // writers hold the table's lock.
    private let uris: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<CChar>?>>
    private let index: UnsafeMutablePointer<Atomic<UInt32>>
    private let count: UnsafeMutablePointer<UInt32>
    private let capacity: Int
    /// The index is at most half full.
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
        var place = hash(uri)
        while true {
            let urid = index[place].load(ordering: .acquiring)
            if urid == 0 || isEqual(uri, urid) { return urid }
            place = (place + 1) & indexMask
        }
    }

    @_noLocks
    func uri(_ urid: UInt32) -> UnsafePointer<CChar>? {
        guard urid > 0, Int(urid) <= capacity else { return nil }
        return UnsafePointer(uris[Int(urid) - 1].load(ordering: .acquiring))
    }

    /// Adds a URI, unless it has come in meanwhile.
    ///
    /// The caller holds the lock.
    func add(_ uri: UnsafePointer<CChar>) -> UInt32 {
        let known = find(uri)
        guard known == 0, Int(count.pointee) < capacity, let copy = strdup(uri) else {
            return known
        }
        count.pointee += 1
        uris[Int(count.pointee) - 1].store(copy, ordering: .releasing)
        var place = hash(uri)
        while index[place].load(ordering: .relaxed) != 0 { place = (place + 1) & indexMask }
        index[place].store(count.pointee, ordering: .releasing)
        return count.pointee
    }

    /// FNV-1a, folded to a place of the index.
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
        var place = 0
        while uri[place] == other[place] {
            if uri[place] == 0 { return true }
            place += 1
        }
        return false
    }
}

/// Places that are all nil or 0, of which those that nobody touches cost no memory.
private func zeroed<Place: ~Copyable>(_ count: Int) -> UnsafeMutablePointer<Place> {
    guard let memory = calloc(count, MemoryLayout<Place>.stride) else {
        preconditionFailure("no memory for the table of URIs")
    }
    // SAFETY: an atomic of nil or 0 is all zero bits.
    return memory.bindMemory(to: Place.self, capacity: count)
}
