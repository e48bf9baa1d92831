internal import CRealtime
internal import Realtime

/// The windows of a spectral pitch shift: long before their peak and short after it, so that they
/// resolve partials like the whole window, but only the short end adds latency.
///
/// The steady window rises over all frames and separates the partials of steady sound. The moving
/// window rises fast and excludes older sound when the sound changes. Any mixture of the two is
/// allowed. The idea is from Mauler and Martin (2007).
///
/// The frames of a transform are rotated so that the window's peak comes first: phases refer to the
/// peak.
public struct ShiftWindows: ~Copyable {
    /// The steady window, rotated.
    private let steady: Buffer<Float>
    /// The moving window, rotated.
    private let moving: Buffer<Float>
    /// The factors of the output's rising half, not yet divided by the analysis window.
    private let rise: Buffer<Float>
    /// The same factors divided by the steady window, and divided by the moving window.
    private let steadyRise: Buffer<Float>
    private let movingRise: Buffer<Float>
    /// The factors of the output's falling half.
    private let fall: Buffer<Float>
    private let lengths: ShiftLengths

    /// Creates the windows of these lengths.
    public init(_ lengths: ShiftLengths) {
        self.lengths = lengths
        let half = lengths.spanFrames / 2
        steady = Buffer(count: lengths.transformFrames, repeating: 0)
        moving = Buffer(count: lengths.transformFrames, repeating: 0)
        rise = Buffer(count: half, repeating: 0)
        steadyRise = Buffer(count: half, repeating: 0)
        movingRise = Buffer(count: half, repeating: 0)
        fall = Buffer(count: half, repeating: 0)
        for frame in 0..<lengths.transformFrames {
            let (calm, moved) = ShiftWindows.analysis(frame, lengths)
            steady[frame] = Float(calm)
            moving[frame] = Float(moved)
        }
        let scale = 2 / Double(lengths.hopsPerTransform * lengths.spanFrames)
        for frame in 0..<half {
            let phase = Double.pi * (Double(frame) + 0.5) / Double(half)
            let overlap = scale * 0.5
            let up = overlap * (1 - rt_cos(phase))
            let (calm, moved) = ShiftWindows.analysis(
                lengths.transformFrames - half + frame, lengths)
            rise[frame] = Float(up)
            steadyRise[frame] = Float(up / calm)
            movingRise[frame] = Float(up / moved)
            let (down, _) = ShiftWindows.analysis(frame, lengths)
            fall[frame] = Float(overlap * (1 + rt_cos(phase)) / down)
        }
    }

    /// Returns both windows at a frame after their peak, or before it if the frame is beyond half
    /// the span.
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

    /// Writes the newest frames under a window, starting at its peak.
    ///
    /// - Parameters:
    ///   - history: A ring of `transformFrames`.
    ///   - oldest: The index of its oldest frame, a multiple of 8.
    ///   - movement: 0 for the steady window, 1 for the moving one; values between mix the two.
    ///   - count: The number of frames to write; the window is 0 for all others.
    ///   - windowed: Room for the frames.
    @_noLocks
    public func apply(
        _ history: UnsafePointer<Float>, oldest: Int, movement: Float, count: Int,
        to windowed: UnsafeMutablePointer<Float>
    ) {
        let (size, half) = (lengths.transformFrames, lengths.spanFrames / 2)
        let top = (oldest + size - half) % size
        // The moving window is 0 in the frames where only the steady window has begun.
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
            let window = movement == 0 ? steady.start : moving.start
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

    /// Adds the last `spanFrames` of a transform's frames to a ring of that length, so that
    /// unchanged frames add up to the input.
    ///
    /// - Parameters:
    ///   - frames: The output of the inverse transform, rotated.
    ///   - count: The number of frames in it.
    ///   - movement: The movement that was used when the same frames were analysed.
    ///   - ring: A ring of `spanFrames`.
    ///   - first: The ring index of the span's first frame, a multiple of `stepFrames`.
    @_noLocks
    public func overlap(
        _ frames: UnsafePointer<Float>, count: Int, movement: Float,
        onto ring: UnsafeMutablePointer<Float>, first: Int
    ) {
        let (span, half, step) = (lengths.spanFrames, lengths.spanFrames / 2, lengths.stepFrames)
        // The frames of the newest hop still contain the sound that was played one span ago.
        for frame in stride(from: span - lengths.hopFrames, to: span, by: step) {
            rt_clear(ring + (first + frame) % span, Int64(step))
        }
        // A forward and an inverse transform together multiply by their size.
        let scale = Float(lengths.transformFrames / count)
        for frame in stride(from: 0, to: half, by: step) {
            let risen = frames + count - half + frame
            addRise(risen, movement, scale, frame, onto: ring + (first + frame) % span)
            let fallen = ring + (first + half + frame) % span
            add(frames + frame, fall.start + frame, scale, onto: fallen)
        }
    }

    /// Adds one step of the rising half.
    @_noLocks
    private func addRise(
        _ frames: UnsafePointer<Float>, _ movement: Float, _ scale: Float, _ first: Int,
        onto target: UnsafeMutablePointer<Float>
    ) {
        if movement == 0 { return add(frames, steadyRise.start + first, scale, onto: target) }
        if movement == 1 { return add(frames, movingRise.start + first, scale, onto: target) }
        let start = lengths.transformFrames - lengths.spanFrames / 2 + first
        var frame = 0
        while frame < lengths.stepFrames {
            let part = lanes(frames, frame) * lanes(rise.start, first + frame) * scale
            let window = mixed(movement, start + frame)
            store(lanes(target, frame) + part / window, target + frame)
            frame &+= 8
        }
    }

    /// Adds one step under a window.
    @_noLocks
    private func add(
        _ frames: UnsafePointer<Float>, _ window: UnsafePointer<Float>, _ scale: Float,
        onto target: UnsafeMutablePointer<Float>
    ) {
        var frame = 0
        while frame < lengths.stepFrames {
            let part = lanes(frames, frame) * lanes(window, frame) * scale
            store(lanes(target, frame) + part, target + frame)
            frame &+= 8
        }
    }

    /// Returns the mixture of both windows for the movement.
    @_noLocks @inline(__always)
    private func mixed(_ movement: Float, _ frame: Int) -> SIMD8<Float> {
        lanes(steady.start, frame)
            + (lanes(moving.start, frame) - lanes(steady.start, frame)) * movement
    }

    @_noLocks @inline(__always)
    private func lanes(_ address: UnsafePointer<Float>, _ first: Int) -> SIMD8<Float> {
        UnsafeRawPointer(address + first).loadUnaligned(as: SIMD8<Float>.self)
    }

    @_noLocks @inline(__always)
    private func store(_ lanes: SIMD8<Float>, _ address: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(address).storeBytes(of: lanes, as: SIMD8<Float>.self)
    }
}
