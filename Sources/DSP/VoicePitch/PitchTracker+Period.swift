// The measurement of the period.
extension PitchTracker {
    /// Measures the period near a lag, over a window slightly longer than the lag.
    @_noLocks
    mutating func refine(lag: Float) {
        let steps = Int(1.25 * lag / Float(TrackerScale.stepSamples)) + 1
        let window = min(max(steps, 5), products.windowSteps)
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
        if isFar && jumpPatience < PitchTracker.patienceJump {
            jumpPatience = pitch.clarity > PitchTracker.clarityOn ? jumpPatience + 1 : 0
            return
        }
        jumpPatience = 0
        let isNear = ratio > 0.933 && ratio < 1.072
        pitch.periodFrames =
            isNear ? pitch.periodFrames + 0.4 * (fresh - pitch.periodFrames) : fresh
    }
}
