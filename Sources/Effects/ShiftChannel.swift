internal import CRealtime
internal import Realtime

/// A buffer of two interleaved lanes, as pairs for the allpass chains and as single values for
/// everything else.
struct LaneBuffer: ~Copyable {
    private let storage: Buffer<SIMD2<Double>>
    /// The values: lane 0 of a frame is followed by lane 1.
    let values: UnsafeMutablePointer<Double>

    /// Allocates silence.
    init(frames: Int) {
        storage = Buffer(count: frames, repeating: .zero)
        // SAFETY: a `SIMD2<Double>` consists of two doubles, and the values are used as long as the
        // storage.
        values = UnsafeMutableRawPointer(storage.start).assumingMemoryBound(to: Double.self)
    }

    var pairs: UnsafeMutablePointer<SIMD2<Double>> { @_noLocks get { storage.start } }
}

/// Working memory for one chunk of one channel in a frequency shifter; all channels use it in turn.
struct ShiftScratch: ~Copyable {
    /// Both lanes of the first pair of chains.
    let analytic: LaneBuffer
    /// Both lanes of the second pair.
    let turned: LaneBuffer
    /// The rotor's cosine and sine, alternating.
    let turns: Buffer<Double>
    /// The feedback gain of each frame.
    let shares: Buffer<Double>

    /// The number of frames of a chunk, and the shortest delay of the feedback loop.
    static var frames: Int { @_noLocks get { 32 } }

    init() {
        // The second lane is one frame late, so the last value of a chunk needs one more frame.
        analytic = LaneBuffer(frames: ShiftScratch.frames + 1)
        turned = LaneBuffer(frames: ShiftScratch.frames + 1)
        turns = Buffer(count: 2 * ShiftScratch.frames, repeating: 0)
        shares = Buffer(count: ShiftScratch.frames, repeating: 0)
    }

    /// Writes the shifted chunk to the output, and the suppressed one to the loop.
    @_noLocks
    func write(
        _ output: UnsafeMutablePointer<Float>, count: Int, loop: UnsafeMutablePointer<Double>,
        folds: Bool
    ) {
        let lanes = turned.values
        for frame in 0..<count {
            let suppressed = 0.5 * (lanes[2 * frame] - lanes[2 * frame + 1])
            loop[frame] = suppressed
            output[frame] = Float(folds ? lanes[2 * frame] : suppressed)
        }
    }
}

/// The state of one channel of a frequency shifter between two chunks, in addition to the state of
/// its chains.
struct ShiftChannel: BitwiseCopyable {
    private var lastInput = 0.0
    private var lastImaginary = 0.0

    /// The number of words of `note`.
    static var noteWords: Int { 2 }

    /// Writes the state.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(lastInput)
        notes.pointee.put(lastImaginary)
    }

    /// Continues from a noted state.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        lastInput = notes.pointee.popNumber(within: 1e6)
        lastImaginary = notes.pointee.popNumber(within: 1e6)
    }

    /// Writes the input and the feedback into both lanes of the first pair of chains; samples that
    /// are not finite become 0.
    @_noLocks
    mutating func read(
        _ input: UnsafePointer<Float>, count: Int, loop: UnsafePointer<Double>?,
        into scratch: borrowing ShiftScratch
    ) {
        let lanes = scratch.analytic.values
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

    /// Multiplies the analytic signal by the rotor, and writes the result into both lanes of the
    /// second pair.
    @_noLocks
    mutating func turn(count: Int, in scratch: borrowing ShiftScratch) {
        let (from, to) = (scratch.analytic.values, scratch.turned.values)
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
