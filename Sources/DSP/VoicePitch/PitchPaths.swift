internal import CRealtime
internal import Realtime

/// A lag at which a signal resembles itself.
struct LagPeak: BitwiseCopyable {
    /// The lag in samples.
    var lag: Float = 0
    /// The base-2 logarithm of the lag.
    var octave: Float = 0
    /// The similarity with a small penalty for longer lags; later the score of the path that ends
    /// here.
    var score: Float = 0
}

/// The likeliest path from peak to peak up to now: a forward Viterbi step over at most six peaks,
/// without backtracking.
struct PitchPaths: ~Copyable {
    private let paths: Buffer<LagPeak>
    private let peaks: Buffer<LagPeak>
    private let octaves: Buffer<Float>
    private let shortestLag: Int
    private let longestLag: Int
    /// The base-2 logarithm of the lag from which voices are rare.
    private let lowOctave: Float
    private var pathCount = 0
    private var peakCount = 0

    /// The maximum number of peaks.
    private static var limit: Int { @_noLocks get { 6 } }
    /// The minimum similarity of a peak.
    private static var floor: Float { @_noLocks get { 0.3 } }
    /// The penalty per octave of lag: a lag twice as long must be this much more similar.
    private static var octaveBias: Float { @_noLocks get { 0.02 } }
    /// A lag that is not this much more similar than a half or a third of it may be a multiple of
    /// the period, and has a penalty of at most `multipleLimit`.
    private static var multipleMargin: Float { @_noLocks get { 0.18 } }
    private static var multipleLimit: Float { @_noLocks get { 0.16 } }
    /// The additional penalty per octave below `lowHertz`, where voices are rare.
    private static var lowBias: Float { @_noLocks get { 0.25 } }
    private static var lowHertz: Double { 66 }
    /// The cost of a jump of one octave between two steps.
    private static var jumpCost: Float { @_noLocks get { 0.5 } }
    /// The size of a jump without cost, in octaves.
    private static var freeJump: Float { @_noLocks get { 0.08 } }
    /// The share of a path's score that remains after a step.
    private static var memory: Float { @_noLocks get { 0.95 } }

    init(scale: TrackerScale) {
        shortestLag = scale.shortestLag
        longestLag = scale.longestLag
        lowOctave = Float(rt_log(scale.samplesPerSecond / PitchPaths.lowHertz) / rt_log(2))
        paths = Buffer(count: PitchPaths.limit, repeating: LagPeak())
        peaks = Buffer(count: PitchPaths.limit, repeating: LagPeak())
        octaves = Buffer(count: longestLag + 2, repeating: 0)
        for lag in 1...longestLag + 1 { octaves[lag] = Float(rt_log(Double(lag)) / rt_log(2)) }
    }

    @_noLocks
    mutating func reset() { pathCount = 0 }

    /// The number of words of `note`.
    static var noteWords: Int { 1 + limit }

    /// Writes the paths.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(pathCount)
        for index in 0..<pathCount { notes.pointee.put(paths[index].octave, paths[index].score) }
    }

    /// Continues with noted paths, of which only the octaves and the scores matter.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        pathCount = notes.pointee.pop(from: 0, through: PitchPaths.limit)
        for index in 0..<pathCount {
            (paths[index].octave, paths[index].score) = notes.pointee.popNumbers(within: 1e6)
        }
    }

    /// Forgets all paths, and returns the lag at which a path of its own may start, or 0.
    @_noLocks
    mutating func restart(_ likeness: UnsafePointer<Float>) -> Float {
        collect(likeness)
        pathCount = min(peakCount, 1)
        guard peakCount > 0 else { return 0 }
        paths[0] = peaks[0]
        return peaks[0].lag
    }

    /// Advances by one step and returns the lag of the best path, or 0 if no lag is similar enough.
    ///
    /// The scores of the paths so far count at most `trust`: little while a voice is new.
    @_noLocks
    mutating func step(_ likeness: UnsafePointer<Float>, trust: Float) -> Float {
        for index in 0..<pathCount { paths[index].score = min(paths[index].score, trust) }
        collect(likeness)
        var best = LagPeak(score: -1000)
        for index in 0..<peakCount {
            peaks[index].score += PitchPaths.memory * arrival(octave: peaks[index].octave)
            if peaks[index].score > best.score { best = peaks[index] }
        }
        for index in 0..<peakCount {
            paths[index] = peaks[index]
            paths[index].score = max(peaks[index].score, best.score - 2 * PitchPaths.jumpCost)
        }
        pathCount = peakCount
        return best.lag
    }

    /// Returns the best score of a path to this octave.
    @_noLocks
    private func arrival(octave: Float) -> Float {
        var best: Float = 0
        for index in 0..<pathCount {
            let jump = abs(octave - paths[index].octave) - PitchPaths.freeJump
            best = max(best, paths[index].score - PitchPaths.jumpCost * max(0, jump))
        }
        return best
    }

    /// Finds the best peaks.
    @_noLocks
    private mutating func collect(_ likeness: UnsafePointer<Float>) {
        peakCount = 0
        for lag in shortestLag..<longestLag where likeness[lag] > PitchPaths.floor {
            if likeness[lag] > likeness[lag - 1] && likeness[lag] >= likeness[lag + 1] {
                insert(peak(at: lag, likeness))
            }
        }
    }

    @_noLocks
    private func peak(at lag: Int, _ likeness: UnsafePointer<Float>) -> LagPeak {
        let vertex = Vertex(likeness[lag - 1], likeness[lag], likeness[lag + 1])
        let slope =
            vertex.offset < 0 ? octaves[lag] - octaves[lag - 1] : octaves[lag + 1] - octaves[lag]
        let octave = octaves[lag] + vertex.offset * slope
        let depth = octaves[lag] - lowOctave
        let handicap =
            PitchPaths.octaveBias * (octaves[lag] - octaves[shortestLag])
            + PitchPaths.lowBias * max(0, depth)
        let height = min(vertex.height, 1)
        let multiple = multipleCost(lag: Float(lag) + vertex.offset, height: height, likeness)
        return LagPeak(
            lag: Float(lag) + vertex.offset, octave: octave, score: height - handicap - multiple)
    }

    /// Returns the penalty of a lag that may be twice or three times the period.
    @_noLocks
    private func multipleCost(lag: Float, height: Float, _ likeness: UnsafePointer<Float>) -> Float
    {
        var shorter: Float = 0
        for divisor in 2...3 {
            let part = Int(lag / Float(divisor) + 0.5)
            guard part > shortestLag else { break }
            let best = max(likeness[part], max(likeness[part - 1], likeness[part + 1]))
            shorter = max(shorter, best)
        }
        return min(max(PitchPaths.multipleMargin - (height - shorter), 0), PitchPaths.multipleLimit)
    }

    /// Inserts the peak in descending order if it is among the best.
    @_noLocks
    private mutating func insert(_ peak: LagPeak) {
        var rank = peakCount
        while rank > 0 && peaks[rank - 1].score < peak.score { rank -= 1 }
        guard rank < PitchPaths.limit else { return }
        if peakCount < PitchPaths.limit { peakCount += 1 }
        var index = peakCount - 1
        while index > rank {
            peaks[index] = peaks[index - 1]
            index -= 1
        }
        peaks[rank] = peak
    }
}

/// The vertex of the parabola through three equidistant values.
struct Vertex: BitwiseCopyable {
    /// The distance from the middle value, in units of the values' spacing.
    var offset: Float = 0
    var height: Float

    @_noLocks
    init(_ before: Float, _ middle: Float, _ after: Float) {
        height = middle
        let bend = before - 2 * middle + after
        guard bend < -1e-12 else { return }
        offset = min(max(0.5 * (before - after) / bend, -0.6), 0.6)
        height = middle - 0.25 * (before - after) * offset
    }
}
