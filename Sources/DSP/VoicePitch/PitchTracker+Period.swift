internal import CRealtime
internal import Realtime

// The measurement of the period.
extension PitchTracker {
    /// Measures the period near a lag, over a window slightly longer than the lag.
    @_noLocks
    mutating func refine(lag: Float) {
        let steps = Int(1.25 * lag / Float(TrackerScale.stepSamples)) + 1
        // At the start of a voice, the sound before it must not count.
        let known = products.steps(lag: Int(lag)) + voicedSteps
        let window = min(min(max(steps, 5), known), products.windowSteps)
        var period = lag
        var times: Float = 1
        // For high voices, the peak several periods away gives a finer measurement.
        while times == 1 || times * lag <= 90 {
            let peak = vertex(near: times * period, steps: window)
            if times == 1 {
                pitch.clarity = Double(min(max(peak.height, 0), 1))
            } else if peak.height < 0.8 * Float(pitch.clarity) {
                break
            }
            period = peak.lag / times
            times *= 2
        }
        // The newest frames were compared with those some periods earlier.
        let reach = Double(window * TrackerScale.stepSamples) + Double(0.5 * times * period)
        pitch.ageFrames = 0.5 * reach * Double(scale.factor)
        follow(periodFrames: Double(period) * Double(scale.factor))
    }

    /// Returns the peak near a lag over a window of `steps` steps.
    @_noLocks
    private func vertex(near lag: Float, steps: Int) -> (lag: Float, height: Float) {
        let middle = min(max(Int(lag + 0.5), 3), products.lagCount - 6)
        let first = middle - 2
        let (low, high) = (
            products.correlation(lag: first, steps: steps),
            products.correlation(lag: first + 4, steps: steps)
        )
        let own = products.energy(lag: 0, steps: steps) + 1e-9
        var then = products.energy(lag: first, steps: steps)
        // The window moves by one sample per lag.
        let past = products.past + first
        let length = steps * TrackerScale.stepSamples
        let a = 2 * low[0] / (own + then)
        then += past[length] * past[length] - past[0] * past[0]
        let b = 2 * low[1] / (own + then)
        then += past[length + 1] * past[length + 1] - past[1] * past[1]
        let c = 2 * low[2] / (own + then)
        then += past[length + 2] * past[length + 2] - past[2] * past[2]
        let d = 2 * low[3] / (own + then)
        then += past[length + 3] * past[length + 3] - past[3] * past[3]
        let e = 2 * high[0] / (own + then)
        if c >= b && c >= d {
            let peak = Vertex(b, c, d)
            return (Float(middle) + peak.offset, peak.height)
        }
        let peak = b >= d ? Vertex(a, b, c) : Vertex(c, d, e)
        return (Float(middle + (b >= d ? -1 : 1)) + peak.offset, peak.height)
    }

    /// The relative change of the period up to which it is smoothed.
    private static var nearChange: Double { @_noLocks get { 0.07 } }
    /// The shares of a change that a step applies: of small changes, which are mostly noise, and at
    /// most, in glides; and the gain between them.
    private static var steadyShare: Double { @_noLocks get { 0.4 } }
    private static var glideShare: Double { @_noLocks get { 0.8 } }
    private static var glideGain: Double { @_noLocks get { 50 } }

    /// Applies a new period, smoothed if it is close to the old one.
    ///
    /// While a voice lasts, an unclear period is ignored. A period far from the old one is accepted
    /// only if it is clear and persists.
    @_noLocks
    private mutating func follow(periodFrames fresh: Double) {
        let ratio = fresh / pitch.periodFrames
        let isFar = ratio < 0.841 || ratio > 1.189
        guard pitch.isVoiced else {
            pitch.periodFrames = fresh
            return
        }
        guard pitch.clarity > PitchTracker.clarityOff else { return }
        // A leap of a singer is clearer than the irregular end of a spoken syllable.
        let weight = pitch.clarity > PitchTracker.clarityLeap ? 2 : 1
        if isFar && jumpPatience < (isEarly ? 0 : PitchTracker.patienceJump) {
            jumpPatience = pitch.clarity > PitchTracker.clarityOn ? jumpPatience + weight : 0
            return
        }
        jumpPatience = 0
        let change = abs(ratio - 1)
        let share = PitchTracker.steadyShare + PitchTracker.glideGain * max(0, change - 0.002)
        pitch.periodFrames +=
            change > PitchTracker.nearChange
            ? fresh - pitch.periodFrames
            : min(share, PitchTracker.glideShare) * (fresh - pitch.periodFrames)
    }
}
