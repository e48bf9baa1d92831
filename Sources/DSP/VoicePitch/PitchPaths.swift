internal import CRealtime

/// A lag at which a signal is like itself.
struct LagPeak: BitwiseCopyable {
    /// In samples.
    var lag: Float = 0
    /// Its logarithm to base 2.
    var octave: Float = 0
    /// How alike, longer lags a little handicapped; then the score of the path that ends here.
    var score: Float = 0
}

/// The likeliest way from peak to peak up to now: a forward Viterbi step over at most six peaks, with no way back.
struct PitchPaths: BitwiseCopyable {
    // SAFETY: the places live from `init` through `deallocate`, which the owner calls at its own end.
    private let paths: UnsafeMutablePointer<LagPeak>
    private let peaks: UnsafeMutablePointer<LagPeak>
    private let octaves: UnsafeMutablePointer<Float>
    private let shortestLag: Int
    private let longestLag: Int
    private var pathCount = 0
    private var peakCount = 0

    /// Peaks that are kept.
    private static var limit: Int { @_noLocks get { 6 } }
    /// The least likeness of a peak.
    private static var floor: Float { @_noLocks get { 0.3 } }
    /// How much more alike a lag twice as long must be.
    private static var octaveBias: Float { @_noLocks get { 0.02 } }
    /// What an octave costs between one step and the next.
    private static var jumpCost: Float { @_noLocks get { 0.5 } }
    /// Octaves that cost nothing.
    private static var freeJump: Float { @_noLocks get { 0.08 } }
    /// What stays of a path's score after a step.
    private static var memory: Float { @_noLocks get { 0.95 } }

    init(scale: TrackerScale) {
        shortestLag = scale.shortestLag
        longestLag = scale.longestLag
        paths = .allocate(capacity: PitchPaths.limit)
        peaks = .allocate(capacity: PitchPaths.limit)
        octaves = .allocate(capacity: longestLag + 2)
        octaves[0] = 0
        for lag in 1...longestLag + 1 { octaves[lag] = Float(rt_log(Double(lag)) / rt_log(2)) }
    }

    func deallocate() {
        paths.deallocate()
        peaks.deallocate()
        octaves.deallocate()
    }

    @_noLocks
    mutating func reset() { pathCount = 0 }

    /// Moves on by one step; the lag of the best path, or 0 where nothing is like itself.
    @_noLocks
    mutating func step(_ likeness: UnsafePointer<Float>) -> Float {
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

    /// The best score of a way to this octave.
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
        let handicap = PitchPaths.octaveBias * (octaves[lag] - octaves[shortestLag])
        return LagPeak(
            lag: Float(lag) + vertex.offset, octave: octave, score: min(vertex.height, 1) - handicap
        )
    }

    /// Keeps the peak where it is among the best, in falling order.
    @_noLocks
    private mutating func insert(_ peak: LagPeak) {
        var place = peakCount
        while place > 0 && peaks[place - 1].score < peak.score { place -= 1 }
        guard place < PitchPaths.limit else { return }
        if peakCount < PitchPaths.limit { peakCount += 1 }
        var index = peakCount - 1
        while index > place {
            peaks[index] = peaks[index - 1]
            index -= 1
        }
        peaks[place] = peak
    }
}

/// Where the parabola through three equidistant values has its vertex.
struct Vertex: BitwiseCopyable {
    /// From the middle value, in their distance.
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
