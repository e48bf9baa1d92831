/// The part of a kernel's state that does not fade: phases, positions, and what it has decided.
///
/// A replay that lacks the beginning of a session starts with new kernels, and most of their state
/// is soon equal, because it depends on the latest sound alone. The rest is noted from time to time.
/// The engine asks a kernel for a note, the kernel writes its words at a moment that suits it, and
/// the engine stores them after the call. In a replay, the kernel receives the words and the frame
/// of that moment, and continues from there.
///
/// A kernel calls `advance` for all of its frames, `begin` and `end` around the words that it
/// writes, and `beginReading` and `endReading` around those that it reads. Words of a replay can
/// come from anyone.
public struct StateNotes: BitwiseCopyable {
    private enum Phase: BitwiseCopyable {
        case idle
        /// The engine waits for a note.
        case wanted
        /// The kernel has written a note.
        case noted
        /// The kernel must continue from a note.
        case given
    }

    private var phase = Phase.idle
    /// The number of frames that the kernel has run since the beginning of the call.
    private var position = 0
    /// The position at which the note was written, or at which the kernel must continue from it.
    public private(set) var frame = 0
    /// The number of words of the note.
    public var count: Int { @_noLocks @inlinable @inline(__always) get { wordCount } }
    @usableFromInline var wordCount = 0
    /// The index of the next word to read.
    private var next = 0
    /// Whether there was no room for a word, or no word to read.
    @usableFromInline var isShort = false
    /// The largest number of words of a note.
    public let capacity: Int
    // SAFETY: the owner of the kernel sets the pointer before the first run, and keeps the memory
    // alive as long as the kernel.
    @usableFromInline var words: UnsafeMutablePointer<UInt64>?

    /// Creates notes without memory, for which nothing is noted.
    ///
    /// - Parameter capacity: The largest number of words of a note.
    public init(capacity: Int) { self.capacity = capacity }

    // MARK: The engine

    /// Provides the memory for `capacity` words, which outlives the kernel.
    public mutating func use(_ words: UnsafeMutablePointer<UInt64>) { self.words = words }

    /// Asks the kernel for a note; between two calls.
    @_noLocks
    public mutating func ask() {
        guard words != nil else { return }
        (phase, position, wordCount) = (.wanted, 0, 0)
    }

    /// Whether the kernel has written a note since it was asked.
    public var isNoted: Bool { @_noLocks get { phase == .noted } }

    /// The first of the `count` words of the note; `nil` without memory.
    public var start: UnsafePointer<UInt64>? {
        @_noLocks get {
            guard let words else { return nil }
            return UnsafePointer(words)
        }
    }

    /// Discards a note or a request for one.
    @_noLocks
    public mutating func forget() { phase = .idle }

    /// Gives the kernel a note of the next call, from which it must continue.
    ///
    /// - Parameters:
    ///   - noted: The words; more than `capacity` are no note.
    ///   - frame: The frame of the call at which the kernel wrote them.
    public mutating func give(_ noted: [UInt64], frame: Int) {
        guard let words, noted.count <= capacity else { return }
        for (index, word) in noted.enumerated() { words[index] = word }
        (phase, position, self.frame, wordCount) = (.given, 0, frame, noted.count)
    }

    // MARK: The kernel

    /// Whether the engine waits for a note.
    public var isWanted: Bool { @_noLocks @inline(__always) get { phase == .wanted } }

    /// Whether the kernel must continue from a note before it runs the next frame.
    public var isDue: Bool {
        @_noLocks @inline(__always) get { phase == .given && position == frame }
    }

    /// Returns the number of frames, at most `frames`, that the kernel may run before it must
    /// continue from a note.
    @_noLocks @inline(__always)
    public func limit(_ frames: Int) -> Int {
        phase == .given && frame > position ? min(frames, frame - position) : frames
    }

    /// Adds frames that the kernel has run.
    @_noLocks @inline(__always)
    public mutating func advance(_ frames: Int) { position += frames }

    /// Begins a note.
    @_noLocks
    public mutating func begin() { (wordCount, isShort) = (0, false) }

    /// Ends a note of the present position; a note without enough room is discarded.
    @_noLocks
    public mutating func end() {
        frame = position
        phase = isShort ? .idle : .noted
    }

    /// Writes a word.
    @_noLocks @inlinable @inline(__always)
    public mutating func put(_ word: UInt64) {
        guard let words, wordCount < capacity else {
            isShort = true
            return
        }
        words[wordCount] = word
        wordCount &+= 1
    }

    /// Writes an integer.
    @_noLocks @inlinable @inline(__always)
    public mutating func put(_ value: Int) { put(UInt64(bitPattern: Int64(value))) }

    /// Writes a number.
    @_noLocks @inlinable @inline(__always)
    public mutating func put(_ value: Double) { put(value.bitPattern) }

    /// Writes two numbers.
    @_noLocks @inlinable @inline(__always)
    public mutating func put(_ first: Float, _ second: Float) {
        put(UInt64(first.bitPattern) | UInt64(second.bitPattern) << 32)
    }

    /// Begins to read a note.
    @_noLocks
    public mutating func beginReading() { (next, isShort) = (0, false) }

    /// Ends reading, whether or not the kernel could continue from the note.
    @_noLocks
    public mutating func endReading() { phase = .idle }

    /// Whether all words that were read were there, and no others remain.
    public var isWhole: Bool { @_noLocks get { !isShort && next == count } }

    /// Reads a word; 0 after the last one.
    @_noLocks
    public mutating func pop() -> UInt64 {
        guard let words, next < count else {
            isShort = true
            return 0
        }
        next += 1
        return words[next - 1]
    }

    /// Reads an integer in a range; the lower bound, and no whole note, if it is not in the range.
    @_noLocks
    public mutating func pop(from least: Int, through most: Int) -> Int {
        let value = Int(Int64(bitPattern: pop()))
        guard value >= least, value <= most else {
            isShort = true
            return least
        }
        return value
    }

    /// Reads a number whose magnitude is at most `most`; 0, and no whole note, if it is not.
    @_noLocks
    public mutating func popNumber(within most: Double) -> Double {
        let value = Double(bitPattern: pop())
        guard value >= -most, value <= most else {
            isShort = true
            return 0
        }
        return value
    }

    /// Reads two numbers whose magnitudes are at most `most`; 0, and no whole note, if one is not.
    @_noLocks
    public mutating func popNumbers(within most: Float) -> (Float, Float) {
        let word = pop()
        let first = Float(bitPattern: UInt32(truncatingIfNeeded: word))
        let second = Float(bitPattern: UInt32(truncatingIfNeeded: word >> 32))
        guard first >= -most, first <= most, second >= -most, second <= most else {
            isShort = true
            return (0, 0)
        }
        return (first, second)
    }
}
