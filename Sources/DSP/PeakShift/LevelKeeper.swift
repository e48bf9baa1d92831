internal import CRealtime

/// Keeps the level of what has no partials: frames that do not agree with each other lose about 1 dB where they overlap.
///
/// By as much as the output is weaker than the input that it came of, over some 90 ms, it is raised, where the sound moves; where
/// it is steady, nothing is touched.
public struct LevelKeeper: BitwiseCopyable {
    private let lengths: ShiftLengths
    /// How much of what was heard is forgotten in a hop.
    private let forgotten: Float
    private var input: Float = 0
    private var output: Float = 0
    private var movement: Float = 0
    private var gain: Float = 1
    private var oldGain: Float = 1

    /// The greatest gain, 1.6 dB.
    private static var most: Float { @_noLocks get { 1.2 } }

    /// A keeper that has heard nothing.
    public init(_ lengths: ShiftLengths, sampleRate: Double) {
        self.lengths = lengths
        forgotten = Float(1 - rt_exp(-Double(lengths.hopFrames) / (0.09 * sampleRate)))
    }

    /// Starts from silence.
    @_noLocks
    public mutating func clear() {
        input = 0
        output = 0
        movement = 0
        gain = 1
        oldGain = 1
    }

    /// Fades what was heard, before the next hop.
    @_noLocks
    public mutating func fade() {
        input -= forgotten * input
        output -= forgotten * output
    }

    /// Takes in a channel's next hop of output, which is complete, and the input that it came of.
    ///
    /// - Parameters:
    ///   - frames: A ring as long as the span.
    ///   - first: Where the hop begins in it, a multiple of `stepFrames`.
    ///   - history: A ring as long as the transform.
    ///   - past: Where the hop's input begins in it, a multiple of `stepFrames`.
    ///   - kept: The share of the input's energy that does not pass Nyquist.
    @_noLocks
    public mutating func hear(
        _ frames: UnsafePointer<Float>, first: Int, history: UnsafePointer<Float>, past: Int,
        kept: Float
    ) {
        for step in 0..<steps {
            let (here, there) = (step * lengths.stepFrames, lengths.stepFrames)
            let came = history + (past + here) % lengths.transformFrames
            input += forgotten * kept * energy(came, count: there)
            output += forgotten * energy(frames + (first + here) % lengths.spanFrames, count: there)
        }
    }

    /// Sets the gain by what was heard of all channels.
    ///
    /// - Parameter movement: 0 where the sound is steady, 1 where it moves.
    @_noLocks
    public mutating func settle(movement: Float) {
        self.movement += 0.125 * (movement - self.movement)
        oldGain = gain
        let loss = output > 1e-10 ? Double(input / output) : 1
        let wanted = min(LevelKeeper.most, max(1, Float(rt_sqrt(loss))))
        // No faster than what it follows: it is not to shape an attack.
        gain += forgotten * (1 + self.movement * (wanted - 1) - gain)
    }

    /// Raises a channel's next hop of output.
    @_noLocks
    public func raise(_ frames: UnsafeMutablePointer<Float>, first: Int) {
        let slope = (gain - oldGain) / Float(steps)
        for step in 0..<steps {
            let from = oldGain + slope * Float(step)
            let place = (first + step * lengths.stepFrames) % lengths.spanFrames
            ramp(frames + place, from: from, to: from + slope, count: lengths.stepFrames)
        }
    }

    private var steps: Int { @_noLocks get { lengths.hopFrames / lengths.stepFrames } }
}
