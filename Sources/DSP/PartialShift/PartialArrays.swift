internal import CRealtime
internal import Realtime

/// The state of the partials that lasts from hop to hop, one element per partial in every array.
struct PartialArrays: ~Copyable {
    /// At the centroid of the analysis window, in bins.
    let frequencies: Buffer<Float>
    /// The change of the frequency, in bins per hop.
    let slopes: Buffer<Float>
    /// The phase of the output relative to the input, in turns.
    let turns: Buffer<Float>
    /// The smoothed misfit of the predictions.
    let doubts: Buffer<Float>
    /// The search that listed the partial.
    let searches: Buffer<Int32>
    /// The amounts, channel after channel.
    private let realParts: Buffer<Float>
    private let imaginaryParts: Buffer<Float>
    private let limit: Int
    private let channelCount: Int

    /// The misfit with which a partial begins.
    private static var firstDoubt: Float { @_noLocks get { 0.1 } }

    init(_ limit: Int, channelCount: Int) {
        self.limit = limit
        self.channelCount = channelCount
        frequencies = Buffer(count: limit, repeating: 0)
        slopes = Buffer(count: limit, repeating: 0)
        turns = Buffer(count: limit, repeating: 0)
        doubts = Buffer(count: limit, repeating: 0)
        searches = Buffer(count: limit, repeating: 0)
        realParts = Buffer(count: limit * channelCount, repeating: 0)
        imaginaryParts = Buffer(count: limit * channelCount, repeating: 0)
    }

    /// The real parts of a channel's amounts.
    @_noLocks @inline(__always)
    func reals(_ channel: Int) -> UnsafeMutablePointer<Float> {
        realParts.start + channel * limit
    }

    /// The imaginary parts of a channel's amounts.
    @_noLocks @inline(__always)
    func imaginaries(_ channel: Int) -> UnsafeMutablePointer<Float> {
        imaginaryParts.start + channel * limit
    }

    /// Copies a partial of the same or of other arrays.
    @_noLocks
    func copy(_ index: Int, of other: borrowing PartialArrays, to place: Int) {
        frequencies[place] = other.frequencies[index]
        slopes[place] = other.slopes[index]
        turns[place] = other.turns[index]
        doubts[place] = other.doubts[index]
        searches[place] = other.searches[index]
        for channel in 0..<channelCount {
            reals(channel)[place] = other.reals(channel)[index]
            imaginaries(channel)[place] = other.imaginaries(channel)[index]
        }
    }

    /// The number of words of `note`.
    var noteWords: Int { 3 + channelCount }

    /// Writes a partial.
    @_noLocks
    func note(_ index: Int, to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(frequencies[index], slopes[index])
        notes.pointee.put(turns[index], doubts[index])
        notes.pointee.put(Int(searches[index]))
        for channel in 0..<channelCount {
            notes.pointee.put(reals(channel)[index], imaginaries(channel)[index])
        }
    }

    /// Continues with a noted partial, below a frequency in bins.
    @_noLocks
    func follow(
        _ notes: UnsafeMutablePointer<StateNotes>, _ index: Int, below most: Float
    ) {
        let (frequency, slope) = notes.pointee.popNumbers(within: most)
        frequencies[index] = frequency
        // A slope moves the frequency in each hop, until the next list.
        slopes[index] = min(max(slope, -4), 4)
        (turns[index], doubts[index]) = notes.pointee.popNumbers(within: 8)
        let search = notes.pointee.pop(from: 0, through: LineList.searchCount - 1)
        searches[index] = Int32(truncatingIfNeeded: search)
        for channel in 0..<channelCount {
            (reals(channel)[index], imaginaries(channel)[index]) =
                notes.pointee.popNumbers(within: 1e12)
        }
    }

    /// Begins a partial without an amount.
    @_noLocks
    func begin(_ place: Int, at frequency: Float, turn: Float) {
        frequencies[place] = frequency
        slopes[place] = 0
        turns[place] = turn
        doubts[place] = PartialArrays.firstDoubt
        for channel in 0..<channelCount {
            reals(channel)[place] = 0
            imaginaries(channel)[place] = 0
        }
    }

    /// Turns the amount of a partial in a channel.
    @_noLocks @inline(__always)
    func turn(_ index: Int, _ channel: Int, by direction: RTDirection) {
        let (x, y) = (reals(channel)[index], imaginaries(channel)[index])
        reals(channel)[index] = x * direction.real - y * direction.imaginary
        imaginaries(channel)[index] = x * direction.imaginary + y * direction.real
    }
}
