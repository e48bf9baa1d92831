internal import Realtime

/// The frequencies at which the longest window lists no line for a while, because a line there was
/// wrong.
struct LineBars: ~Copyable {
    /// The hop until which a bin is barred.
    private let barredUntil = Buffer<Int32>(count: LineBars.bins, repeating: 0)
    private var hopCount: Int32 = 0

    /// The bins that can be barred; the longest window lists lines only there.
    private static var bins: Int { @_noLocks get { 512 } }
    private static var hops: Int32 { @_noLocks get { 40 } }

    /// Ends all bars.
    @_noLocks
    mutating func clear() {
        hopCount = 0
        for bin in 0..<LineBars.bins { barredUntil[bin] = 0 }
    }

    /// The largest number of words of `note`.
    static var noteWords: Int { LineBars.bins + 1 }

    /// Writes the barred bins, with the hops for which they remain so.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        var count = 0
        for bin in 0..<LineBars.bins where barredUntil[bin] > hopCount { count += 1 }
        notes.pointee.put(count)
        for bin in 0..<LineBars.bins where barredUntil[bin] > hopCount {
            notes.pointee.put(bin &* 256 + Int(barredUntil[bin] &- hopCount))
        }
    }

    /// Continues with noted bins.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        clear()
        for _ in 0..<notes.pointee.pop(from: 0, through: LineBars.bins) {
            let word = notes.pointee.pop(from: 0, through: LineBars.bins &* 256 - 1)
            barredUntil[word >> 8] = Int32(truncatingIfNeeded: word & 255)
        }
    }

    /// Begins the next hop.
    @_noLocks
    mutating func advance() { hopCount &+= 1 }

    /// Returns whether a frequency, in bins, is barred.
    @_noLocks
    func isBarred(_ frequency: Float) -> Bool {
        let bin = Int(frequency + 0.5)
        return bin < LineBars.bins && barredUntil[bin] > hopCount
    }

    /// Bars the bins around a frequency.
    @_noLocks
    func bar(around frequency: Float) {
        let bin = Int(frequency + 0.5)
        for near in max(0, bin - 2)...bin + 2 where near < LineBars.bins {
            barredUntil[near] = hopCount + LineBars.hops
        }
    }
}
