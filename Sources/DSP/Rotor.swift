internal import CRealtime

/// A unit complex number that turns by an angle per frame and keeps its phase when the frequency
/// changes.
public struct Rotor: BitwiseCopyable, Sendable {
    private var cosine = 1.0
    private var sine = 0.0
    private var stepCosine = 1.0
    private var stepSine = 0.0

    /// Creates a rotor at phase 0 that does not turn.
    public init() {}

    /// Sets the angle per frame, in radians.
    @_noLocks
    public mutating func setStep(radians: Double) {
        stepCosine = rt_cos(radians)
        stepSine = rt_sin(radians)
    }

    /// Resets the phase to 0 and keeps the angle per frame.
    @_noLocks
    public mutating func rewind() {
        cosine = 1
        sine = 0
    }

    /// The current cosine and sine.
    public var phase: (cosine: Double, sine: Double) {
        @_noLocks get { (cosine, sine) }
        @_noLocks set { (cosine, sine) = newValue }
    }

    /// Returns the current cosine and sine, then advances by one frame.
    @_noLocks @inline(__always)
    public mutating func next() -> (cosine: Double, sine: Double) {
        let now = (cosine, sine)
        let turned = cosine * stepCosine - sine * stepSine
        sine = sine * stepCosine + cosine * stepSine
        cosine = turned
        return now
    }

    /// Writes the cosines and sines of the next frames, interleaved.
    @_noLocks
    public mutating func write(to turns: UnsafeMutablePointer<Double>, count: Int) {
        for frame in 0..<count {
            let (cosine, sine) = next()
            turns[2 * frame] = cosine
            turns[2 * frame + 1] = sine
        }
    }

    /// Removes the accumulated rounding error of the magnitude, with one Newton step towards 1/|r|.
    @_noLocks
    public mutating func renormalise() {
        let correction = 1.5 - 0.5 * (cosine * cosine + sine * sine)
        cosine *= correction
        sine *= correction
    }
}
