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
        let size = lengths.transformFrames
        let top = (oldest + size - lengths.spanFrames / 2) % size
        multiply(history + top, movement, first: 0, count: size - top, to: windowed)
        multiply(history, movement, first: size - top, count: top, to: windowed)
    }

    @_noLocks
    private func multiply(
        _ frames: UnsafePointer<Float>, _ movement: Float, first: Int, count: Int,
        to windowed: UnsafeMutablePointer<Float>
    ) {
        let calm = UnsafeRawPointer(steady + first)
        let more = UnsafeRawPointer(difference + first)
        let (from, to) = (UnsafeRawPointer(frames), UnsafeMutableRawPointer(windowed + first))
        for offset in stride(from: 0, to: 4 * count, by: 32) {
            let window =
                calm.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                + more.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self) * movement
            let x = from.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
            to.storeBytes(of: x * window, toByteOffset: offset, as: SIMD8<Float>.self)
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
        let half = lengths.spanFrames / 2
        let start = lengths.transformFrames - half
        for block in stride(from: 0, to: lengths.spanFrames, by: 8) {
            let place = UnsafeMutableRawPointer(ring + (first + block) % lengths.spanFrames)
            let part: SIMD8<Float>
            if block < half {
                let window =
                    lanes(steady, start + block) + lanes(difference, start + block) * movement
                part = lanes(frames, start + block) * lanes(rise, block) / window
            } else {
                part = lanes(frames, block - half) * lanes(fall, block - half)
            }
            // The newest hop's places still hold what was played one span ago.
            let isNew = block >= lengths.spanFrames - lengths.hopFrames
            let there =
                isNew ? SIMD8<Float>.zero : place.loadUnaligned(as: SIMD8<Float>.self)
            place.storeBytes(of: there + part, as: SIMD8<Float>.self)
        }
    }

    @_noLocks @inline(__always)
    private func lanes(_ place: UnsafePointer<Float>, _ first: Int) -> SIMD8<Float> {
        UnsafeRawPointer(place + first).loadUnaligned(as: SIMD8<Float>.self)
    }
}
