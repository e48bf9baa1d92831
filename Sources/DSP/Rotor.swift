internal import CRealtime

/// A unit complex number that turns by an angle a frame, its phase kept while the frequency glides.
public struct Rotor: BitwiseCopyable, Sendable {
    private var cosine = 1.0
    private var sine = 0.0
    private var stepCosine = 1.0
    private var stepSine = 0.0

    /// A rotor at phase 0 that does not turn.
    public init() {}

    /// Sets how far it turns in a frame.
    @_noLocks
    public mutating func setStep(radians: Double) {
        stepCosine = rt_cos(radians)
        stepSine = rt_sin(radians)
    }

    /// Puts it at phase 0; the step stays.
    @_noLocks
    public mutating func rewind() {
        cosine = 1
        sine = 0
    }

    /// Its cosine and sine now; then it turns on by one frame.
    @_noLocks @inline(__always)
    public mutating func next() -> (cosine: Double, sine: Double) {
        let now = (cosine, sine)
        let turned = cosine * stepCosine - sine * stepSine
        sine = sine * stepCosine + cosine * stepSine
        cosine = turned
        return now
    }

    /// Writes cosine and sine, alternating, for the next frames.
    @_noLocks
    public mutating func write(to turns: UnsafeMutablePointer<Double>, count: Int) {
        for frame in 0..<count {
            let (cosine, sine) = next()
            turns[2 * frame] = cosine
            turns[2 * frame + 1] = sine
        }
    }

    /// Takes off the rounding that has gathered in its length; Newton's step to 1/|r|.
    @_noLocks
    public mutating func renormalise() {
        let correction = 1.5 - 0.5 * (cosine * cosine + sine * sine)
        cosine *= correction
        sine *= correction
    }
}
