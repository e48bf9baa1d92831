internal import CRealtime

/// Room for one chunk of one channel on its way through a frequency shifter, used by each in turn.
struct ShiftScratch: BitwiseCopyable {
    // SAFETY: the places live from `init` through `deallocate`, which the owner calls at its own end.
    /// Both lanes of the first pair of chains.
    let analytic: UnsafeMutablePointer<SIMD2<Double>>
    /// Both lanes of the second pair.
    let turned: UnsafeMutablePointer<SIMD2<Double>>
    /// The rotor's cosine and sine, alternating.
    let turns: UnsafeMutablePointer<Double>
    /// What share of the loop each frame takes.
    let shares: UnsafeMutablePointer<Double>

    /// Frames of a chunk, and the least that the feedback loop delays.
    static var frames: Int { @_noLocks get { 32 } }

    init() {
        // The second lanes come one frame late, so the last one of a chunk stands in a frame of its own.
        analytic = .allocate(capacity: ShiftScratch.frames + 1)
        turned = .allocate(capacity: ShiftScratch.frames + 1)
        turns = .allocate(capacity: 2 * ShiftScratch.frames)
        shares = .allocate(capacity: ShiftScratch.frames)
        analytic.initialize(repeating: .zero, count: ShiftScratch.frames + 1)
        turned.initialize(repeating: .zero, count: ShiftScratch.frames + 1)
        turns.initialize(repeating: 0, count: 2 * ShiftScratch.frames)
        shares.initialize(repeating: 0, count: ShiftScratch.frames)
    }

    func deallocate() {
        analytic.deallocate()
        turned.deallocate()
        turns.deallocate()
        shares.deallocate()
    }

    /// Hands out the shifted chunk and keeps it, suppressed, for the loop.
    @_noLocks
    func give(
        _ output: UnsafeMutablePointer<Float>, count: Int, loop: UnsafeMutablePointer<Double>,
        folds: Bool
    ) {
        let lanes = UnsafeMutableRawPointer(turned).assumingMemoryBound(to: Double.self)
        for frame in 0..<count {
            let suppressed = 0.5 * (lanes[2 * frame] - lanes[2 * frame + 1])
            loop[frame] = suppressed
            output[frame] = Float(folds ? lanes[2 * frame] : suppressed)
        }
    }
}

/// What a channel of a frequency shifter keeps from chunk to chunk, beside its chains' memory.
struct ShiftChannel: BitwiseCopyable {
    private var lastInput = 0.0
    private var lastImaginary = 0.0

    /// Lays the input and what is fed back out for the first pair of chains; samples that are not finite become 0.
    @_noLocks
    mutating func take(
        _ input: UnsafePointer<Float>, count: Int, loop: UnsafePointer<Double>?,
        scratch: ShiftScratch
    ) {
        let lanes = UnsafeMutableRawPointer(scratch.analytic).assumingMemoryBound(to: Double.self)
        let isFinite = rt_is_finite(input, Int64(count))
        lanes[1] = lastInput
        for frame in 0..<count {
            var x = isFinite || input[frame].isFinite ? Double(input[frame]) : 0
            if let loop { x += scratch.shares[frame] * loop[frame] }
            lanes[2 * frame] = x
            lanes[2 * frame + 3] = x
        }
        lastInput = lanes[2 * count + 1]
    }

    /// Turns the analytic signal and lays it out for the second pair.
    @_noLocks
    mutating func turn(count: Int, scratch: ShiftScratch) {
        let from = UnsafeMutableRawPointer(scratch.analytic).assumingMemoryBound(to: Double.self)
        let to = UnsafeMutableRawPointer(scratch.turned).assumingMemoryBound(to: Double.self)
        to[1] = lastImaginary
        for frame in 0..<count {
            let (real, imaginary) = (from[2 * frame], from[2 * frame + 1])
            let (cosine, sine) = (scratch.turns[2 * frame], scratch.turns[2 * frame + 1])
            to[2 * frame] = real * cosine - imaginary * sine
            to[2 * frame + 3] = real * sine + imaginary * cosine
        }
        lastImaginary = to[2 * count + 1]
    }
}
