internal import Engine
internal import Glibc
internal import Synchronization

/// The records of the last minutes, in memory of a fixed size; only one thread uses it.
final class BoxStore {
    private let words: UnsafeMutableRawPointer
    private let capacity: UInt64
    private let header: UnsafeMutablePointer<BoxMemory.Header>
    private var start: UInt64 = 0
    private var end: UInt64 = 0
    /// The frame of the newest call.
    private var newestFrame: UInt64 = 0

    /// Uses memory that outlives the store.
    ///
    /// - Parameters:
    ///   - words: The memory.
    ///   - wordCount: Its size in words.
    ///   - header: The positions, which are written after each change.
    init(
        words: UnsafeMutableRawPointer, wordCount: Int,
        header: UnsafeMutablePointer<BoxMemory.Header>
    ) {
        self.words = words
        capacity = UInt64(wordCount)
        self.header = header
    }

    /// Adds a record, and removes the oldest ones that are too old or leave no room.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - windowFrames: The number of frames to keep.
    ///   - drop: Called with each removed record.
    func add(_ record: CapturedWords, windowFrames: UInt64, drop: (CapturedWords) -> Void) {
        guard record.count <= Int(capacity) else { return }
        if record.kind == .call { newestFrame = record[1] }
        while end &+ UInt64(record.count) &- start > capacity || isOld(windowFrames)
            || beginsInCall
        {
            removeFirst(drop)
        }
        for index in 0..<record.count {
            words.storeBytes(
                of: record[index], toByteOffset: Int((end &+ UInt64(index)) % capacity) * 8,
                as: UInt64.self)
        }
        end &+= UInt64(record.count)
        header.pointee.storeEnd.store(end, ordering: .releasing)
    }

    /// Removes the oldest record; with a call also its commands.
    ///
    /// - Parameter drop: Called with each removed record.
    /// - Returns: `false` if the store is empty.
    func removeOldest(_ drop: (CapturedWords) -> Void) -> Bool {
        guard start != end else { return false }
        removeFirst(drop)
        while beginsInCall { removeFirst(drop) }
        return true
    }

    private func removeFirst(_ drop: (CapturedWords) -> Void) {
        let oldest = record(at: start)
        drop(oldest)
        start &+= UInt64(oldest.count)
        header.pointee.storeStart.store(start, ordering: .releasing)
    }

    /// Whether the oldest record belongs to a call that was removed.
    private var beginsInCall: Bool {
        guard start != end else { return false }
        switch record(at: start).kind {
        case .command, .arrivals, .state, .sound, .end: return true
        case .call, .message, .gap, nil: return false
        }
    }

    /// Returns whether the oldest record belongs to a call that is too old.
    private func isOld(_ windowFrames: UInt64) -> Bool {
        guard newestFrame > windowFrames else { return false }
        var position = start
        while position != end {
            let record = record(at: position)
            if record.kind == .call { return record[1] < newestFrame - windowFrames }
            // Messages and gaps belong to the call that follows them.
            position &+= UInt64(record.count)
        }
        return false
    }

    private func record(at position: UInt64) -> CapturedWords {
        CapturedWords(in: UnsafeRawPointer(words), count: capacity, from: position)
    }

    /// A copy of all records, in order.
    var copy: [UInt64] {
        let count = Int(end &- start)
        return [UInt64](unsafeUninitializedCapacity: count) { copy, initialized in
            let offset = Int(start % capacity)
            let first = min(count, Int(capacity) - offset)  // checked: below the capacity
            if let to = UnsafeMutableRawPointer(copy.baseAddress) {
                memcpy(to, words + offset * 8, first * 8)
                memcpy(to + first * 8, words, (count - first) * 8)
            }
            initialized = count
        }
    }
}
