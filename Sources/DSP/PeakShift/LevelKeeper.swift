internal import CRealtime
public import Realtime

/// A gain that keeps the level of sound without partials: overlapping frames that are not coherent
/// lose about 1 dB.
///
/// If the sound moves, the keeper raises the output by the loss against its input, measured over
/// about 90 ms. Steady sound is not changed.
public struct LevelKeeper: BitwiseCopyable {
    private let lengths: ShiftLengths
    /// The share of the average that each hop replaces.
    private let forgotten: Float
    private var input: Float = 0
    private var output: Float = 0
    private var movement: Float = 0
    /// The gain of the next hop, as a factor of amplitude.
    public private(set) var gain: Float = 1
    private var oldGain: Float = 1

    /// The maximum gain: 1.6 dB.
    private static var most: Float { @_noLocks get { 1.2 } }

    /// Creates a keeper without measurements.
    public init(_ lengths: ShiftLengths, sampleRate: Double) {
        self.lengths = lengths
        forgotten = Float(1 - rt_exp(-Double(lengths.hopFrames) / (0.09 * sampleRate)))
    }

    /// Restarts from silence.
    @_noLocks
    public mutating func clear() {
        input = 0
        output = 0
        movement = 0
        gain = 1
        oldGain = 1
    }

    /// The number of words of `note`.
    public static var noteWords: Int { 3 }

    /// Writes the measurements and the gain.
    @_noLocks
    public func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(input, output)
        notes.pointee.put(gain, oldGain)
        notes.pointee.put(movement, 0)
    }

    /// Continues with noted measurements.
    @_noLocks
    public mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        (input, output) = notes.pointee.popNumbers(within: 1e30)
        (gain, oldGain) = notes.pointee.popNumbers(within: 16)
        movement = notes.pointee.popNumbers(within: 1).0
    }

    /// Fades the measurements before the next hop.
    @_noLocks
    public mutating func fade() {
        input -= forgotten * input
        output -= forgotten * output
    }

    /// Measures a channel's next finished hop of output and the input that it came from.
    ///
    /// - Parameters:
    ///   - frames: A ring of `spanFrames`.
    ///   - first: The index of the hop in that ring, a multiple of `stepFrames`.
    ///   - history: A ring of `transformFrames`.
    ///   - past: The index of the hop's input in that ring, a multiple of `stepFrames`.
    ///   - kept: The share of the input's energy that the shift does not move past Nyquist.
    @_noLocks
    public mutating func measure(
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

    /// Sets the gain from the measurements of all channels.
    ///
    /// - Parameter movement: 0 if the sound is steady, 1 if it moves.
    @_noLocks
    public mutating func settle(movement: Float) {
        self.movement += 0.125 * (movement - self.movement)
        oldGain = gain
        let loss = output > 1e-10 ? Double(input / output) : 1
        let wanted = min(LevelKeeper.most, max(1, Float(rt_sqrt(loss))))
        // The gain changes no faster than the measurements: it must not shape an attack.
        gain += forgotten * (1 + self.movement * (wanted - 1) - gain)
    }

    /// Applies the gain to a channel's next hop of output.
    @_noLocks
    public func raise(_ frames: UnsafeMutablePointer<Float>, first: Int) {
        let slope = (gain - oldGain) / Float(steps)
        for step in 0..<steps {
            let from = oldGain + slope * Float(step)
            let slot = (first + step * lengths.stepFrames) % lengths.spanFrames
            ramp(frames + slot, from: from, to: from + slope, count: lengths.stepFrames)
        }
    }

    private var steps: Int { @_noLocks get { lengths.hopFrames / lengths.stepFrames } }
}
