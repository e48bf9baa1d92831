internal import CRealtime

/// One mark a period of a voice, where the energy has its centre: known up to now, predicted beyond.
///
/// A phase-locked loop: the marks go on by the period that is told and are pulled to the centre of the energy, so that in the
/// long run there are as many marks as periods. The energy is that of the signal's differences, as the ear weighs it.
public struct PeriodMarks: BitwiseCopyable {
    // SAFETY: the place lives from `init` through `deallocate`, which the owner calls at its own end.
    private var energies: ReversedRing
    private let scale: TrackerScale
    /// The last mark up to now, in frames.
    private var place = 0.0
    /// The period as the marks show it, in frames.
    public private(set) var periodFrames: Double
    private var isSure = false

    /// The pull's time constant in periods.
    private static var pullPeriods: Double { @_noLocks get { 4 } }
    /// The farthest pull, in frames a frame.
    private static var pullLimit: Double { @_noLocks get { 0.03 } }

    /// Marks for a tracker of this scale.
    public init(scale: TrackerScale) {
        self.scale = scale
        energies = ReversedRing(size: 2 * (scale.longestLag + 4) + TrackerScale.stepSamples)
        periodFrames = 1
        reset()
    }

    /// Frees its memory.
    public func deallocate() { energies.deallocate() }

    /// Forgets all it heard.
    @_noLocks
    public mutating func reset() {
        energies.reset()
        place = 0
        periodFrames = 100 * Double(scale.factor)
        isSure = false
    }

    /// Listens to a step's frames, of which the one before is there as well.
    @_noLocks
    public mutating func take(_ frames: UnsafePointer<Float>) {
        energies.open()
        let last = TrackerScale.stepSamples - 1
        for sample in 0...last {
            var sum: Float = 0
            for frame in sample * scale.factor..<(sample + 1) * scale.factor {
                let difference = frames[frame] - 0.98 * frames[frame - 1]
                sum += difference * difference
            }
            energies.place(sum, at: last - sample)
        }
    }

    /// Lets go of the marks: the next voice has its own.
    @_noLocks
    public mutating func lose() { isSure = false }

    /// Goes on to the last mark before `now`, in frames, and pulls it.
    @_noLocks
    public mutating func follow(_ pitch: VoicePitch, now: Double) {
        let period = pitch.periodFrames
        if place + period <= now { place += rt_floor((now - place) / period) * period }
        let (distance, sureness) = centre(period: period, now: now)
        guard isSure else {
            place += distance
            periodFrames = period
            isSure = true
            return
        }
        let step = Double(scale.stepFrames)
        let share = min(1, step / (PeriodMarks.pullPeriods * period)) * min(1, 2 * sureness)
        let limit = PeriodMarks.pullLimit * step
        let move = min(max(share * distance, -limit), limit)
        place += move
        periodFrames = period / (1 - move / step)
    }

    /// The last mark up to a time, in frames.
    @_noLocks
    public func last(before time: Double) -> Double {
        place + rt_floor((time - place) / periodFrames) * periodFrames
    }

    /// How far the energy's centre lies behind the mark in frames, and how peaked it is, over the newest two periods.
    ///
    /// With the turns of half a period, `g`, a Hann window over two periods is `1/2 - 1/2 Re g²`... of twice the angle, so one rotor gives both.
    @_noLocks
    private func centre(period: Double, now: Double) -> (distance: Double, sureness: Double) {
        let sum = turnedSum(period: period)
        let length = rt_sqrt(Double(sum.x * sum.x + sum.y * sum.y))
        guard length > 1e-12, length.isFinite else { return (0, 0) }
        let turn = rt_atan2(Double(sum.y), Double(sum.x)) / (2 * Double.pi)
        let phase = (now - 0.5 - place) / period - turn
        return ((phase - rt_round(phase)) * period, length / (Double(sum.z) + 1e-12))
    }

    /// The product of two turns, each as its cosine and its sine.
    @_noLocks @inline(__always)
    private static func turned(_ a: SIMD2<Double>, by b: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
    }

    /// The energies under a Hann window of the newest two periods, turned by a turn a period, and their plain sum.
    @_noLocks
    private func turnedSum(period: Double) -> SIMD3<Float> {
        // One rotor of half a turn a period gives the window, as its cosine, and by its square the turn.
        let angle = Double.pi * Double(scale.factor) / period
        let (halfCosine, halfSine) = (rt_cos(0.5 * angle), rt_sin(0.5 * angle))
        let turn = SIMD2(halfCosine * halfCosine - halfSine * halfSine, 2 * halfCosine * halfSine)
        var place = SIMD2(halfCosine, halfSine)
        var (cosine, sine) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        for lane in 0..<4 {
            (cosine[lane], sine[lane]) = (Float(place.x), Float(place.y))
            place = PeriodMarks.turned(place, by: turn)
        }
        let twice = PeriodMarks.turned(turn, by: turn)
        let four = PeriodMarks.turned(twice, by: twice)
        let (stepCosine, stepSine) = (Float(four.x), Float(four.y))
        let count = (Int(2 * period / Double(scale.factor)) + 3) / 4 * 4
        var (real, imaginary) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        var plain = SIMD4<Float>.zero
        for index in stride(from: 0, to: count, by: 4) {
            let energy = UnsafeRawPointer(energies.newest + index)
                .loadUnaligned(as: SIMD4<Float>.self)
            let weighted = energy * (0.5 - 0.5 * cosine)
            plain += weighted
            real += weighted * (cosine * cosine - sine * sine)
            imaginary += weighted * (cosine * sine * 2)
            let next = cosine * stepCosine - sine * stepSine
            sine = cosine * stepSine + sine * stepCosine
            cosine = next
        }
        return SIMD3(real.sum(), imaginary.sum(), plain.sum())
    }
}
