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
    /// The moving window, likewise.
    private let moving: UnsafeMutablePointer<Float>
    /// What the output's rising half is multiplied by, but for the analysis window that it is divided by.
    private let rise: UnsafeMutablePointer<Float>
    /// The same over the steady window, and over the moving one.
    private let steadyRise: UnsafeMutablePointer<Float>
    private let movingRise: UnsafeMutablePointer<Float>
    /// What the output's falling half is multiplied by.
    private let fall: UnsafeMutablePointer<Float>
    private let lengths: ShiftLengths

    /// Windows of these lengths.
    public init(_ lengths: ShiftLengths) {
        self.lengths = lengths
        let half = lengths.spanFrames / 2
        steady = .allocate(capacity: lengths.transformFrames)
        moving = .allocate(capacity: lengths.transformFrames)
        rise = .allocate(capacity: half)
        steadyRise = .allocate(capacity: half)
        movingRise = .allocate(capacity: half)
        fall = .allocate(capacity: half)
        for frame in 0..<lengths.transformFrames {
            let (calm, moved) = ShiftWindows.analysis(frame, lengths)
            (steady + frame).initialize(to: Float(calm))
            (moving + frame).initialize(to: Float(moved))
        }
        let scale = 2 / Double(lengths.hopsPerTransform * lengths.spanFrames)
        for frame in 0..<half {
            let phase = Double.pi * (Double(frame) + 0.5) / Double(half)
            let overlap = scale * 0.5
            let up = overlap * (1 - rt_cos(phase))
            let (calm, moved) = ShiftWindows.analysis(
                lengths.transformFrames - half + frame, lengths)
            (rise + frame).initialize(to: Float(up))
            (steadyRise + frame).initialize(to: Float(up / calm))
            (movingRise + frame).initialize(to: Float(up / moved))
            let (down, _) = ShiftWindows.analysis(frame, lengths)
            (fall + frame).initialize(to: Float(overlap * (1 + rt_cos(phase)) / down))
        }
    }

    /// Frees its memory.
    public func deallocate() {
        steady.deallocate()
        moving.deallocate()
        rise.deallocate()
        steadyRise.deallocate()
        movingRise.deallocate()
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
    ///   - count: How many of the frames are wanted; more have no place under the window.
    ///   - windowed: Room for them.
    @_noLocks
    public func apply(
        _ history: UnsafePointer<Float>, oldest: Int, movement: Float, count: Int,
        to windowed: UnsafeMutablePointer<Float>
    ) {
        let (size, half) = (lengths.transformFrames, lengths.spanFrames / 2)
        let top = (oldest + size - half) % size
        // The moving window is 0 where only the steady one has begun.
        let start = movement == 1 ? size - lengths.movingRiseFrames : half
        let turn = size - top
        multiply(history + top, movement, 0..<min(half, turn), to: windowed)
        multiply(history - turn, movement, min(half, turn)..<half, to: windowed)
        let rise = windowed - (size - count)
        rt_clear(windowed + half, Int64(start - half - (size - count)))
        multiply(history + top, movement, start..<max(start, turn), to: rise)
        multiply(history - turn, movement, max(start, turn)..<size, to: rise)
    }

    @_noLocks
    private func multiply(
        _ frames: UnsafePointer<Float>, _ movement: Float, _ range: Range<Int>,
        to windowed: UnsafeMutablePointer<Float>
    ) {
        var frame = range.lowerBound
        if movement == 0 || movement == 1 {
            let window = movement == 0 ? steady : moving
            while frame < range.upperBound {
                store(lanes(frames, frame) * lanes(window, frame), windowed + frame)
                frame &+= 8
            }
        }
        while frame < range.upperBound {
            store(lanes(frames, frame) * mixed(movement, frame), windowed + frame)
            frame &+= 8
        }
    }

    /// Adds the last `spanFrames` of a transform's frames to a ring of as many, so that unchanged frames add up to the input.
    ///
    /// - Parameters:
    ///   - frames: What the inverse transform gave, turned round.
    ///   - count: How many these are.
    ///   - movement: As it was when the same frames were taken.
    ///   - ring: A ring of `spanFrames`.
    ///   - first: Where the span's first frame goes, a multiple of `stepFrames`.
    @_noLocks
    public func overlap(
        _ frames: UnsafePointer<Float>, count: Int, movement: Float,
        onto ring: UnsafeMutablePointer<Float>, first: Int
    ) {
        let (span, half, step) = (lengths.spanFrames, lengths.spanFrames / 2, lengths.stepFrames)
        // The newest hop's places still hold what was played one span ago.
        for frame in stride(from: span - lengths.hopFrames, to: span, by: step) {
            rt_clear(ring + (first + frame) % span, Int64(step))
        }
        // The transforms there and back multiply by their size.
        let scale = Float(lengths.transformFrames / count)
        for frame in stride(from: 0, to: half, by: step) {
            let risen = frames + count - half + frame
            addRise(risen, movement, scale, frame, onto: ring + (first + frame) % span)
            let fallen = ring + (first + half + frame) % span
            add(frames + frame, fall + frame, scale, onto: fallen)
        }
    }

    /// Adds a step of the rising half.
    @_noLocks
    private func addRise(
        _ frames: UnsafePointer<Float>, _ movement: Float, _ scale: Float, _ first: Int,
        onto places: UnsafeMutablePointer<Float>
    ) {
        if movement == 0 { return add(frames, steadyRise + first, scale, onto: places) }
        if movement == 1 { return add(frames, movingRise + first, scale, onto: places) }
        let start = lengths.transformFrames - lengths.spanFrames / 2 + first
        var frame = 0
        while frame < lengths.stepFrames {
            let part = lanes(frames, frame) * lanes(rise, first + frame) * scale
            let window = mixed(movement, start + frame)
            store(lanes(places, frame) + part / window, places + frame)
            frame &+= 8
        }
    }

    /// Adds a step under a window.
    @_noLocks
    private func add(
        _ frames: UnsafePointer<Float>, _ window: UnsafePointer<Float>, _ scale: Float,
        onto places: UnsafeMutablePointer<Float>
    ) {
        var frame = 0
        while frame < lengths.stepFrames {
            let part = lanes(frames, frame) * lanes(window, frame) * scale
            store(lanes(places, frame) + part, places + frame)
            frame &+= 8
        }
    }

    /// Both windows in the proportion that the movement asks for.
    @_noLocks @inline(__always)
    private func mixed(_ movement: Float, _ frame: Int) -> SIMD8<Float> {
        lanes(steady, frame) + (lanes(moving, frame) - lanes(steady, frame)) * movement
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
