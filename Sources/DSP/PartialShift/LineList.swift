internal import CRealtime
public import Realtime

/// The list of the lines that a sound has, from searches in four windows of different lengths.
///
/// Long windows separate close lines, short ones find lines that have just begun or move. One search
/// is done per hop. After the fourth, the lines of all searches are merged: of lines that contradict
/// each other, the one stays that is most like a steady tone.
public struct LineList: ~Copyable {
    private let searches: Buffer<LineSearch>
    /// The histories of the channels: for each channel one for each distance of points.
    private let histories: Buffer<DecimatedHistory>
    private let channelCount: Int
    /// The lines of each search that may be partials, the lowest first.
    private let keptLines: Buffer<ListedLine>
    private let keptCounts: Buffer<Int>
    /// Whether all searches were done since the last merge.
    public private(set) var isComplete = false
    /// The kept lines of all searches, the lowest first.
    private let candidates: Buffer<ListedLine>
    private var candidateCount = 0
    private let isTaken: Buffer<Bool>
    /// The candidates, the best first.
    private let order: Buffer<Int32>
    /// The first place of each bucket of `order`.
    private let starts: Buffer<Int32>
    /// The number of taken candidates with each exponent of their strength.
    private let strengthCounts: Buffer<Int32>
    /// The merged lines, the lowest first.
    private let lines: Buffer<ListedLine>
    private(set) var count = 0
    private var turn = 0

    /// The number of searches, which take turns.
    static var searchCount: Int { @_noLocks get { 4 } }
    /// The number of distances of points.
    private static var distances: Int { @_noLocks get { 2 } }
    /// The largest number of merged lines.
    static var limit: Int { @_noLocks get { 96 } }
    /// The misfit below which a line is a partial: -12 dB; and near a known partial: -8 dB.
    private static var misfit: Float { @_noLocks get { 0.0631 } }
    private static var knownMisfit: Float { @_noLocks get { 0.1585 } }
    /// The distance in bins of the shorter of two windows within which only the better line stays.
    private static var clear: Float { @_noLocks get { 1.5 } }
    private static var ownClear: Float { @_noLocks get { 0.5 } }
    /// The lowest frequency, in bins.
    static var lowest: Float { @_noLocks get { 0.85 } }
    /// A frequency, in bins, above all lines of any search.
    static var highest: Float { @_noLocks get { 448 } }

    /// Creates an empty list.
    ///
    /// - Parameters:
    ///   - lengths: The lengths of the shift.
    ///   - channelCount: The number of channels.
    public init(_ lengths: ShiftLengths, channelCount: Int) {
        self.channelCount = channelCount
        let step = lengths.stepFrames
        func apart(_ search: Int) -> Int { max(1, step / (search == 0 ? 16 : 32)) }
        searches = Buffer(count: LineList.searchCount) { search in
            LineSearch(
                windowFrames: LineList.steps(search) * step, apart: apart(search),
                top: search == 0 ? 213 : 384, transformFrames: lengths.transformFrames,
                channelCount: channelCount)
        }
        histories = Buffer(count: channelCount * LineList.distances) { index in
            let first = index % LineList.distances
            return DecimatedHistory(
                apart: apart(first), points: LineList.steps(first) * step / apart(first),
                stepFrames: step)
        }
        let most = LineList.searchCount * LineSearch.limit
        let none = ListedLine(frequency: 0, misfit: 1, strength: 0, search: 0)
        candidates = Buffer(count: most, repeating: none)
        keptLines = Buffer(count: most, repeating: none)
        keptCounts = Buffer(count: LineList.searchCount, repeating: 0)
        lines = Buffer(count: LineList.limit, repeating: none)
        order = Buffer(count: most, repeating: 0)
        starts = Buffer(count: LineList.buckets + 1, repeating: 0)
        strengthCounts = Buffer(count: LineList.exponents, repeating: 0)
        isTaken = Buffer(count: most, repeating: false)
    }

    /// Returns the length of a window in steps.
    private static func steps(_ search: Int) -> Int { 128 >> search }

    /// Restarts from silence.
    @_noLocks
    public mutating func clear() {
        for search in 0..<LineList.searchCount { searches[search].clear() }
        for index in 0..<channelCount * LineList.distances { histories[index].clear() }
        candidateCount = 0
        count = 0
        turn = 0
        isComplete = false
        for search in 0..<LineList.searchCount { keptCounts[search] = 0 }
    }

    /// The largest number of words of `note`.
    public static var noteWords: Int { 1 + 2 * limit }

    /// Writes the merged lines; only after a merge.
    @_noLocks
    public func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(count)
        for index in 0..<count {
            notes.pointee.put(lines[index].frequency, lines[index].misfit)
            notes.pointee.put(lines[index].strength, Float(lines[index].search))
        }
    }

    /// Continues with noted lines, as after a merge.
    @_noLocks
    public mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        (turn, isComplete) = (0, true)
        count = notes.pointee.pop(from: 0, through: LineList.limit)
        for index in 0..<count {
            let (frequency, misfit) = notes.pointee.popNumbers(within: LineList.highest)
            let (strength, search) = notes.pointee.popNumbers(within: .greatestFiniteMagnitude)
            lines[index] = ListedLine(
                frequency: max(frequency, LineList.lowest), misfit: misfit, strength: strength,
                search: Int32(min(max(search, 0), Float(LineList.searchCount - 1))))
        }
    }

    /// Adds the frames of a step of one channel.
    @_noLocks
    public func push(_ frames: UnsafePointer<Float>, channel: Int) {
        for index in 0..<LineList.distances {
            histories[channel * LineList.distances + index].push(frames)
        }
    }

    /// Returns a merged line.
    @_noLocks
    subscript(line: Int) -> ListedLine { lines[line] }

    /// Begins the search of a hop.
    @_noLocks
    public mutating func begin() {
        let history = turn == 0 ? 0 : 1
        for channel in 0..<channelCount {
            searches[turn].transform(
                histories[channel * LineList.distances + history], channel: channel)
        }
        searches[turn].findPeaks()
        searches[turn].fit(isFirst: true)
    }

    /// Ends the search of a hop, and keeps the lines that may be partials.
    ///
    /// - Parameter partials: The partials that are known; near them a line may fit less well.
    @_noLocks
    public mutating func end(_ partials: borrowing TrackedPartials) {
        searches[turn].fit(isFirst: false)
        searches[turn].judge()
        keep(partials)
        turn = (turn + 1) % LineList.searchCount
        isComplete = turn == 0
    }

    /// Keeps the lines of a search that may be partials.
    @_noLocks
    private mutating func keep(_ partials: borrowing TrackedPartials) {
        let kept = keptLines.start + turn * LineSearch.limit
        var count = 0
        for line in 0..<searches[turn].count {
            let frequency = searches[turn].frequency(line)
            let misfit = searches[turn].misfit(line)
            guard frequency > LineList.lowest, misfit < LineList.knownMisfit else { continue }
            if misfit >= LineList.misfit, !partials.isKnown(frequency) { continue }
            if turn == 0, partials.isBarred(frequency) { continue }
            // Fitted lines may have passed each other.
            var place = count
            while place > 0, kept[place &- 1].frequency > frequency {
                kept[place] = kept[place &- 1]
                place &-= 1
            }
            kept[place] = ListedLine(
                frequency: frequency, misfit: misfit, strength: searches[turn].strength(line),
                search: Int32(truncatingIfNeeded: turn))
            count &+= 1
        }
        keptCounts[turn] = count
    }

    /// Merges the lines of all searches, if all were done since the last time.
    @_noLocks
    public mutating func merge() {
        guard isComplete else { return }
        collect()
        count = 0
        for index in 0..<candidateCount { isTaken[index] = false }
        sortByMisfit()
        for index in 0..<candidateCount { take(Int(order[index])) }
        var least: Float = 0
        if count > LineList.limit { least = leastStrength() }
        count = 0
        for index in 0..<candidateCount where isTaken[index] && count < LineList.limit {
            guard candidates[index].strength >= least else { continue }
            lines[count] = candidates[index]
            count += 1
        }
    }

    /// Collects the kept lines of all searches, in the order of their frequencies.
    @_noLocks
    private mutating func collect() {
        candidateCount = 0
        var next: (Int, Int, Int, Int) = (0, 0, 0, 0)
        while true {
            var lowest = heard(0, next.0)
            var search = 0
            if heard(1, next.1) < lowest { (lowest, search) = (heard(1, next.1), 1) }
            if heard(2, next.2) < lowest { (lowest, search) = (heard(2, next.2), 2) }
            if heard(3, next.3) < lowest { (lowest, search) = (heard(3, next.3), 3) }
            guard lowest < .infinity else { return }
            let index: Int
            switch search {
            case 0: (index, next.0) = (next.0, next.0 &+ 1)
            case 1: (index, next.1) = (next.1, next.1 &+ 1)
            case 2: (index, next.2) = (next.2, next.2 &+ 1)
            default: (index, next.3) = (next.3, next.3 &+ 1)
            }
            candidates[candidateCount] = keptLines[search * LineSearch.limit + index]
            candidateCount += 1
        }
    }

    /// Returns the frequency of a kept line; infinity beyond the last one.
    @_noLocks @inline(__always)
    private func heard(_ search: Int, _ index: Int) -> Float {
        index < keptCounts[search]
            ? keptLines[search &* LineSearch.limit &+ index].frequency : .infinity
    }

    /// Writes the order of the candidates, the best first, to an eighth of an octave of their
    /// misfits.
    @_noLocks
    private func sortByMisfit() {
        for bucket in 0...LineList.buckets { starts[bucket] = 0 }
        for index in 0..<candidateCount { starts[bucket(candidates[index].misfit) + 1] += 1 }
        for bucket in 0..<LineList.buckets { starts[bucket + 1] += starts[bucket] }
        for index in 0..<candidateCount {
            let bucket = bucket(candidates[index].misfit)
            order[Int(starts[bucket])] = Int32(truncatingIfNeeded: index)
            starts[bucket] += 1
        }
    }

    /// Returns the bucket of a misfit, from 2^-24 to 1.
    @_noLocks @inline(__always)
    private func bucket(_ misfit: Float) -> Int {
        let eighths = Int(misfit.bitPattern &>> 20) - (127 - 24) * 8
        return min(max(eighths, 0), LineList.buckets - 1)
    }

    private static var buckets: Int { @_noLocks get { 24 * 8 } }

    /// Takes a candidate, unless a better one contradicts it.
    @_noLocks
    private mutating func take(_ index: Int) {
        let line = candidates[index]
        var other = index - 1
        while other >= 0, line.frequency - candidates[other].frequency < LineList.farthest {
            if isTaken[other], contradict(line, candidates[other]) { return }
            other -= 1
        }
        other = index + 1
        while other < candidateCount,
            candidates[other].frequency - line.frequency < LineList.farthest
        {
            if isTaken[other], contradict(line, candidates[other]) { return }
            other += 1
        }
        isTaken[index] = true
        count += 1
    }

    /// The distance, in bins of the shift's transform, from which two lines never contradict each
    /// other.
    private static var farthest: Float { @_noLocks get { 3 } }

    @_noLocks @inline(__always)
    private func contradict(_ line: ListedLine, _ other: ListedLine) -> Bool {
        let reach = line.search == other.search ? LineList.ownClear : LineList.clear
        // The shift's transform is a quarter as long as the longest window.
        let bins = Float(1 &<< max(line.search, other.search)) * 0.25
        return abs(line.frequency - other.frequency) < reach * bins
    }

    /// Returns the lowest power of two above which there is room for all lines.
    @_noLocks
    private func leastStrength() -> Float {
        for exponent in 0..<LineList.exponents { strengthCounts[exponent] = 0 }
        for index in 0..<candidateCount where isTaken[index] {
            strengthCounts[Int(candidates[index].strength.bitPattern &>> 23)] += 1
        }
        var (exponent, stronger) = (LineList.exponents, 0)
        while exponent > 0 {
            stronger += Int(strengthCounts[exponent - 1])
            guard stronger <= LineList.limit else { break }
            exponent -= 1
        }
        return Float(bitPattern: UInt32(truncatingIfNeeded: exponent) &<< 23)
    }

    /// The exponents of positive numbers.
    private static var exponents: Int { @_noLocks get { 256 } }
}

/// A line of a list.
struct ListedLine: BitwiseCopyable {
    /// In bins of the shift's transform.
    let frequency: Float
    /// The share of the power around it that is not one steady tone.
    let misfit: Float
    /// The power, summed over the channels.
    let strength: Float
    /// The search that found it, from the longest window to the shortest.
    let search: Int32
}
