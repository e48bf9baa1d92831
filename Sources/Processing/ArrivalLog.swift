internal import Realtime

/// The data that reached a kernel from other threads, and when the kernel used it.
///
/// The output of a player depends on the pages that arrive in time. Its kernel counts its runs and
/// changes of values in a call of the engine, the turns, and notes each arrival with its turn. The
/// engine takes the notes after each call. A replay gives them to a kernel, which then uses the same
/// data in the same turns.
public final class ArrivalLog: @unchecked Sendable {
    // SAFETY: before the schedule of the kernel is handed over, one thread at a time uses the
    // memory; after that, only the thread that runs the kernel and the engine that waits for it.

    /// The seed of the kernel's random choices; 0 if it makes none.
    public let seed: UInt64
    /// The notes, for the kernel and the engine, which the log outlives.
    public var notes: UnsafeMutablePointer<ArrivalNotes> { memory.start }
    private let memory: Buffer<ArrivalNotes>
    private let words: Buffer<UInt64>

    /// Creates a log that notes nothing yet.
    ///
    /// - Parameter seed: The seed of the kernel's random choices; 0 if it makes none.
    public init(seed: UInt64 = 0) {
        self.seed = seed
        words = Buffer(count: ArrivalNotes.capacity, repeating: 0)
        memory = Buffer(containing: ArrivalNotes(words: words.start))
    }

    /// Begins to note arrivals, unless it already does; before the kernel's first run in an engine.
    public func beginNoting() { notes.pointee.begin(.noting) }

    /// Begins to repeat arrivals, unless it already does; before the kernel's first run in an
    /// engine.
    ///
    /// - Parameter isBehind: Whether the kernel has run before the first call of the replay, so that
    ///   it must continue from a state that it has noted.
    public func beginRepeating(isBehind: Bool) {
        notes.pointee.begin(.repeating, isBehind: isBehind)
    }

    /// Gives a kernel that repeats arrivals those of the next call.
    ///
    /// - Parameter noted: The words of the notes; words beyond the capacity are ignored.
    public func give(_ noted: [UInt64]) {
        for (index, word) in noted.prefix(ArrivalNotes.capacity).enumerated() {
            words[index] = word
        }
        notes.pointee.refill(min(noted.count, ArrivalNotes.capacity))
    }
}

/// The arrivals of one call of the engine, as the audio thread notes or repeats them.
public struct ArrivalNotes: BitwiseCopyable {
    /// The kinds of arrivals, each with a number.
    public enum Kind: BitwiseCopyable {
        /// A page of a file, with the number of frames that were read; negative if the request was
        /// cancelled.
        case page
        /// A page of a stream, as above.
        case streamPage
        /// The last page of a stream, as above.
        case lastStreamPage
        /// A version of a list of files, with its number.
        case list
        /// A part of the state from which a kernel can continue.
        case state

        fileprivate var number: UInt64 {
            @_noLocks get {
                switch self {
                case .page: 1
                case .streamPage: 2
                case .lastStreamPage: 3
                case .list: 4
                case .state: 5
                }
            }
        }
    }

    fileprivate enum Mode: BitwiseCopyable {
        case off, noting, repeating
    }

    /// The largest number of notes in a call.
    public static var capacity: Int { @_noLocks get { 64 } }

    private var mode = Mode.off
    /// The number of the present turn in the call.
    private var turn: UInt64 = 0
    /// The number of words that were noted, or that wait to be repeated.
    public private(set) var count = 0
    /// Whether a call had more arrivals than fit.
    public private(set) var hasLost = false
    private var next = 0
    /// Whether a replay waits for a state from which the kernel can continue.
    public private(set) var isBehind = false
    /// Whether the kernel continues from a noted state.
    ///
    /// It then has other open requests than before, so data arrives as soon as it is requested.
    public private(set) var hasCaughtUp = false
    // SAFETY: the log owns the words and lives as long as the kernel.
    private let words: UnsafeMutablePointer<UInt64>

    fileprivate init(words: UnsafeMutablePointer<UInt64>) { self.words = words }

    fileprivate mutating func begin(_ mode: Mode, isBehind: Bool = false) {
        guard self.mode == .off else { return }
        (self.mode, self.isBehind) = (mode, isBehind)
        clear()
    }

    fileprivate mutating func refill(_ wordCount: Int) { (next, count) = (0, wordCount) }

    /// Whether a replay decides when data arrives.
    public var isRepeating: Bool { @_noLocks get { mode == .repeating } }

    /// Whether arrivals are noted.
    public var isNoting: Bool { @_noLocks get { mode == .noting } }

    /// States that the kernel continues from a noted state.
    @_noLocks
    public mutating func catchUp() { (isBehind, hasCaughtUp) = (false, true) }

    /// A note, by its index below `count`.
    @_noLocks
    public func word(_ index: Int) -> UInt64 { words[index] }

    /// Begins a run or a change of a value.
    @_noLocks
    public mutating func beginTurn() { turn &+= 1 }

    /// Notes an arrival in the present turn.
    @_noLocks
    public mutating func note(_ kind: Kind, _ value: Int32) {
        guard mode == .noting else { return }
        guard count < Self.capacity else {
            hasLost = true
            return
        }
        words[count] =
            min(turn, 0xFFFF) << 48 | kind.number << 40 | UInt64(UInt32(bitPattern: value))
        count += 1
    }

    /// Removes the next arrival to repeat in the present turn.
    ///
    /// - Parameter kind: The kind of arrival that the kernel can use now.
    /// - Returns: Its value; `nil` if no such arrival is next.
    @_noLocks
    public mutating func pop(_ kind: Kind) -> Int32? {
        guard mode == .repeating, next < count else { return nil }
        let word = words[next]
        guard word >> 48 <= turn, word >> 40 & 0xFF == kind.number else { return nil }
        next += 1
        return Int32(bitPattern: UInt32(truncatingIfNeeded: word))
    }

    /// Forgets all arrivals after a call.
    @_noLocks
    public mutating func clear() { (turn, count, next, hasLost) = (0, 0, 0, false) }
}
