internal import CRealtime
internal import Synchronization

/// The kinds of records in a capture.
public enum CaptureKind: UInt8, Sendable {
    /// A call of the engine: its frames, its inputs and its transport.
    case call = 1
    /// A MIDI message of the call that follows.
    case message = 2
    /// A command that the audio thread has begun to carry out.
    case command = 3
    /// The end of a call: the checksum of its output, and its time.
    case end = 4
    /// Calls before this record are missing, because the reader was too slow.
    case gap = 5
    /// Data from other threads that a node of the call used.
    case arrivals = 6
    /// The part of the state of a node that does not fade.
    case state = 7
    /// A part of the sound that a node keeps.
    case sound = 8
}

/// A queue of records of different lengths from the audio thread to one reader, in memory that the
/// host provides.
///
/// A record is a word with its kind and its length, followed by its words. The memory begins with
/// the two positions; if it is a mapping of a file, the records that were not read yet are in the
/// file after a crash.
public struct CaptureRing: @unchecked Sendable {
    // SAFETY: the writer publishes words with a releasing store of `written`, after it has written
    // them. The reader releases words with a releasing store of `read`.

    /// The number of bytes before the first word of the queue.
    public static let headerBytes = 128

    private let start: UnsafeMutableRawPointer
    private let wordCount: Int

    /// Uses memory that is aligned to 64 bytes and filled with zeros, and outlives the ring.
    ///
    /// - Parameters:
    ///   - memory: `headerBytes` and room for the words.
    ///   - wordCount: The number of words, a power of two.
    public init(memory: UnsafeMutableRawPointer, wordCount: Int) {
        precondition(wordCount > 0 && wordCount & (wordCount - 1) == 0)
        start = memory
        self.wordCount = wordCount
        positions.initialize(to: CapturePositions())
    }

    private var positions: UnsafeMutablePointer<CapturePositions> {
        start.assumingMemoryBound(to: CapturePositions.self)
    }

    var writer: CaptureWriter {
        CaptureWriter(memory: start, mask: UInt64(wordCount - 1))
    }

    /// Calls a function with each unread record, and removes it; only on the reader's thread.
    ///
    /// - Parameter body: Receives the words of the record, the first with its kind and its length.
    public func read(_ body: (CapturedWords) -> Void) {
        let written = positions.pointee.written.load(ordering: .acquiring)
        var read = positions.pointee.read.load(ordering: .relaxed)
        let words = CapturedWords(
            in: UnsafeRawPointer(start + Self.headerBytes), count: UInt64(wordCount), from: 0)
        while read != written {
            var record = words
            record.first = read
            guard record.count <= Int(written &- read) else { break }
            body(record)
            read &+= UInt64(record.count)
            positions.pointee.read.store(read, ordering: .releasing)
        }
    }
}

/// The positions of both ends in words since the beginning, each on its own cache line.
struct CapturePositions: ~Copyable {
    let written = Atomic<UInt64>(0)
    // swift-format-ignore: NoLeadingUnderscores
    private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
        (0, 0, 0, 0, 0, 0, 0)
    let read = Atomic<UInt64>(0)
}

/// The words of one record in memory that is used as a ring.
public struct CapturedWords {
    private let words: UnsafeRawPointer
    private let capacity: UInt64
    fileprivate(set) var first: UInt64

    /// The words of a record in memory.
    ///
    /// - Parameters:
    ///   - words: The memory.
    ///   - count: The number of its words.
    ///   - start: The position of the first word of the record; positions continue behind the end
    ///     of the memory at its start.
    public init(in words: UnsafeRawPointer, count: UInt64, from start: UInt64) {
        self.words = words
        capacity = count
        first = start
    }

    /// The number of words, including the first one.
    public var count: Int { Int(self[0] >> 8 & 0xFFFF_FFFF) + 1 }

    /// The kind; `nil` for a record of another version.
    public var kind: CaptureKind? { CaptureKind(rawValue: UInt8(truncatingIfNeeded: self[0])) }

    /// A word, by its index.
    public subscript(index: Int) -> UInt64 {
        words.load(
            fromByteOffset: Int((first &+ UInt64(index)) % capacity) * 8, as: UInt64.self)
    }
}

/// The end of a capture ring that the audio thread writes.
struct CaptureWriter: BitwiseCopyable {
    private let positions: UnsafeMutablePointer<CapturePositions>
    private let words: UnsafeMutableRawPointer
    private let mask: UInt64
    /// The number of words that are written, also those that are not published yet.
    private var next: UInt64 = 0
    private var readSeen: UInt64 = 0
    /// Whether a call did not fit; then nothing is written before the next call that fits.
    private(set) var isLosing = false

    /// Creates the end of a ring.
    ///
    /// - Parameters:
    ///   - memory: The memory of the ring, with its positions.
    ///   - mask: The number of words minus 1.
    init(memory: UnsafeMutableRawPointer, mask: UInt64) {
        positions = memory.assumingMemoryBound(to: CapturePositions.self)
        words = memory + CaptureRing.headerBytes
        self.mask = mask
    }

    /// Returns whether a number of words fits; if not, the writer loses records.
    @_noLocks
    mutating func hasRoom(_ count: Int) -> Bool {
        if next &+ UInt64(count) &- readSeen > mask &+ 1 {
            readSeen = positions.pointee.read.load(ordering: .acquiring)
            if next &+ UInt64(count) &- readSeen > mask &+ 1 {
                isLosing = true
                return false
            }
        }
        return true
    }

    /// Returns whether a number of words fits; if not, the record can be left out.
    @_noLocks
    mutating func hasRoom(forOptional count: Int) -> Bool {
        guard !isLosing else { return false }
        let fits = hasRoom(count)
        isLosing = false
        return fits
    }

    /// Returns whether half of the ring is free after a number of words; if not, the record can be
    /// left out, because the reader is slow, and the following calls need the room.
    @_noLocks
    mutating func isHalfFree(after count: Int) -> Bool {
        guard !isLosing else { return false }
        let half = (mask &+ 1) / 2
        if next &+ UInt64(count) &- readSeen > half {
            readSeen = positions.pointee.read.load(ordering: .acquiring)
        }
        return next &+ UInt64(count) &- readSeen <= half
    }

    /// Begins a record for which there is room.
    @_noLocks
    mutating func begin(_ kind: CaptureKind, _ wordCount: Int) {
        put(UInt64(kind.number) | UInt64(wordCount) << 8)
    }

    /// Writes that calls are missing.
    @_noLocks
    mutating func noteGap() {
        isLosing = false
        begin(.gap, 0)
    }

    @_noLocks
    mutating func put(_ word: UInt64) {
        words.storeBytes(of: word, toByteOffset: Int(next & mask) * 8, as: UInt64.self)
        next &+= 1
    }

    /// Writes bytes, which take whole words.
    @_noLocks
    mutating func put(_ bytes: UnsafeRawPointer, _ byteCount: Int) {
        let offset = Int(next & mask) * 8
        let first = min(byteCount, Int(mask &+ 1) * 8 - offset)
        rt_copy_bytes(words + offset, bytes, Int64(first))
        if first < byteCount { rt_copy_bytes(words, bytes + first, Int64(byteCount - first)) }
        next &+= UInt64((byteCount + 7) / 8)
    }

    /// Lets the reader see everything that was written.
    @_noLocks
    func publish() { positions.pointee.written.store(next, ordering: .releasing) }
}

extension CaptureKind {
    fileprivate var number: UInt8 {
        @_noLocks get {
            switch self {
            case .call: 1
            case .message: 2
            case .command: 3
            case .end: 4
            case .gap: 5
            case .arrivals: 6
            case .state: 7
            case .sound: 8
            }
        }
    }
}
