internal import CRealtime

/// The windows of a spectral pitch shift: long before their top, short behind it, so that partials are told apart as by the
/// whole window while only its end delays.
///
/// One rises over all there is and separates the partials of steady sound; one rises fast and keeps old sound out where the
/// sound moves. Any mixture of the two may be used. After Mauler and Martin 2007.
///
/// The frames of a transform are turned round so that the windows' top comes first: phases are seen from there.
public struct ShiftWindows: BitwiseCopyable {
    // SAFETY: the places live from `init` through `deallocate`, which the owner calls at its own end.
    /// The steady window, turned round.
    private let steady: UnsafeMutablePointer<Float>
    /// What the moving window has more.
    private let difference: UnsafeMutablePointer<Float>
    /// What the output's rising half is multiplied by, but for the analysis window that it is divided by.
    private let rise: UnsafeMutablePointer<Float>
    /// What the output's falling half is multiplied by.
    private let fall: UnsafeMutablePointer<Float>
    private let lengths: ShiftLengths

    /// Windows of these lengths.
    public init(_ lengths: ShiftLengths) {
        self.lengths = lengths
        let half = lengths.spanFrames / 2
        steady = .allocate(capacity: lengths.transformFrames)
        difference = .allocate(capacity: lengths.transformFrames)
        rise = .allocate(capacity: half)
        fall = .allocate(capacity: half)
        for frame in 0..<lengths.transformFrames {
            let (calm, moved) = ShiftWindows.analysis(frame, lengths)
            (steady + frame).initialize(to: Float(calm))
            (difference + frame).initialize(to: Float(moved - calm))
        }
        let scale = 2 / Double(lengths.hopsPerTransform * lengths.spanFrames)
        for frame in 0..<half {
            let phase = Double.pi * (Double(frame) + 0.5) / Double(half)
            let overlap = scale * 0.5
            (rise + frame).initialize(to: Float(overlap * (1 - rt_cos(phase))))
            let (down, _) = ShiftWindows.analysis(frame, lengths)
            (fall + frame).initialize(to: Float(overlap * (1 + rt_cos(phase)) / down))
        }
    }

    /// Frees its memory.
    public func deallocate() {
        steady.deallocate()
        difference.deallocate()
        rise.deallocate()
        fall.deallocate()
    }

    /// Both windows at a frame behind their top, or before it beyond the span's half.
    private static func analysis(_ frame: Int, _ lengths: ShiftLengths) -> (Double, Double) {
        let half = lengths.spanFrames / 2
        let quarter = Double.pi / 2
        guard frame >= half else {
            let down = rt_cos(quarter * (Double(frame) + 0.5) / Double(half))
            return (down, down)
        }
        let before = Double(lengths.transformFrames - frame) - 0.5
        func up(_ rise: Int) -> Double { max(0, rt_cos(quarter * min(1, before / Double(rise)))) }
        return (rt_pow(up(lengths.steadyRiseFrames), 0.8), up(lengths.movingRiseFrames))
    }

    /// Writes the newest frames under a window, its top first.
    ///
    /// - Parameters:
    ///   - history: A ring of `transformFrames`.
    ///   - oldest: Where its oldest frame is, a multiple of 8.
    ///   - movement: 0 for the steady window, 1 for the moving one.
    ///   - windowed: Room for `transformFrames`.
    @_noLocks
    public func apply(
        _ history: UnsafePointer<Float>, oldest: Int, movement: Float,
        to windowed: UnsafeMutablePointer<Float>
    ) {
        let (size, half) = (lengths.transformFrames, lengths.spanFrames / 2)
        let top = (oldest + size - half) % size
        // The moving window is 0 where only the steady one has begun.
        let start = movement == 1 ? size - lengths.movingRiseFrames : half
        rt_clear(windowed + half, Int64(start - half))
        let turn = size - top
        multiply(history + top, movement, 0..<min(half, turn), to: windowed)
        multiply(history + top, movement, start..<max(start, turn), to: windowed)
        multiply(history - turn, movement, min(half, turn)..<half, to: windowed)
        multiply(history - turn, movement, max(start, turn)..<size, to: windowed)
    }

    @_noLocks
    private func multiply(
        _ frames: UnsafePointer<Float>, _ movement: Float, _ range: Range<Int>,
        to windowed: UnsafeMutablePointer<Float>
    ) {
        var frame = range.lowerBound
        if movement == 0 {
            while frame < range.upperBound {
                store(lanes(frames, frame) * lanes(steady, frame), windowed + frame)
                frame &+= 8
            }
        }
        while frame < range.upperBound {
            let window = lanes(steady, frame) + lanes(difference, frame) * movement
            store(lanes(frames, frame) * window, windowed + frame)
            frame &+= 8
        }
    }

    /// Adds the last `spanFrames` of a transform's frames to a ring of as many, so that unchanged frames add up to the input.
    ///
    /// - Parameters:
    ///   - frames: What the inverse transform gave, turned round.
    ///   - movement: As it was when the same frames were taken.
    ///   - ring: A ring of `spanFrames`.
    ///   - first: Where the span's first frame goes, a multiple of `stepFrames`.
    @_noLocks
    public func overlap(
        _ frames: UnsafePointer<Float>, movement: Float, onto ring: UnsafeMutablePointer<Float>,
        first: Int
    ) {
        let (span, half, step) = (lengths.spanFrames, lengths.spanFrames / 2, lengths.stepFrames)
        // The newest hop's places still hold what was played one span ago.
        for frame in stride(from: span - lengths.hopFrames, to: span, by: step) {
            rt_clear(ring + (first + frame) % span, Int64(step))
        }
        for frame in stride(from: 0, to: half, by: step) {
            addRise(frames, movement, frame, onto: ring + (first + frame) % span)
            addFall(frames, frame, onto: ring + (first + half + frame) % span)
        }
    }

    /// Adds a step of the rising half.
    @_noLocks
    private func addRise(
        _ frames: UnsafePointer<Float>, _ movement: Float, _ first: Int,
        onto places: UnsafeMutablePointer<Float>
    ) {
        let start = lengths.transformFrames - lengths.spanFrames / 2 + first
        var frame = 0
        while frame < lengths.stepFrames {
            let window =
                lanes(steady, start + frame) + lanes(difference, start + frame) * movement
            let part = lanes(frames, start + frame) * lanes(rise, first + frame) / window
            store(lanes(places, frame) + part, places + frame)
            frame &+= 8
        }
    }

    /// Adds a step of the falling half.
    @_noLocks
    private func addFall(
        _ frames: UnsafePointer<Float>, _ first: Int, onto places: UnsafeMutablePointer<Float>
    ) {
        var frame = 0
        while frame < lengths.stepFrames {
            let part = lanes(frames, first + frame) * lanes(fall, first + frame)
            store(lanes(places, frame) + part, places + frame)
            frame &+= 8
        }
    }

    @_noLocks @inline(__always)
    private func lanes(_ place: UnsafePointer<Float>, _ first: Int) -> SIMD8<Float> {
        UnsafeRawPointer(place + first).loadUnaligned(as: SIMD8<Float>.self)
    }

    @_noLocks @inline(__always)
    private func store(_ lanes: SIMD8<Float>, _ place: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(place).storeBytes(of: lanes, as: SIMD8<Float>.self)
    }
}
