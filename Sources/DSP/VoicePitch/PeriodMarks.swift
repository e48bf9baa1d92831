internal import CRealtime
public import Realtime

/// One mark per period of a voice, at the centre of its energy: measured up to the newest input,
/// and predicted after it.
///
/// The marks are a phase-locked loop: they advance by the tracked period and are pulled towards the
/// centre of the energy, so that over time there are as many marks as periods. The energy is
/// measured on the signal's differences, which weights frequencies as hearing does.
public struct PeriodMarks: ~Copyable {
    private var energies: ReversedRing
    private let scale: TrackerScale
    /// The last mark up to now, in frames.
    private var markFrame = 0.0
    /// The period between the marks, in frames.
    public private(set) var periodFrames: Double
    private var isSure = false
    /// The number of periods since the first mark, or since the latest glide.
    private var age = 0.0
    private var lastPeriod = 0.0

    /// The means of the latest distances to the centre and of their squares, in periods.
    private var trend = 0.0
    private var square = 0.0

    /// The mean square from which the marks are between the centres, so that the distance has no
    /// certain sign.
    private static var farSquare: Double { @_noLocks get { 0.14 } }
    /// The time constant of these means, in periods.
    private static var trendPeriods: Double { @_noLocks get { 5 } }
    /// The relative change of the period in one step from which it is a glide.
    private static var glide: Double { @_noLocks get { 0.003 } }
    /// The number of periods in which the pull is always complete.
    private static var settling: Double { @_noLocks get { 4 } }
    /// The time constant of the pull, in periods.
    private static var pullPeriods: Double { @_noLocks get { 4 } }
    /// The maximum pull, in frames per frame.
    private static var pullLimit: Double { @_noLocks get { 0.03 } }

    /// Creates marks for a tracker of this scale.
    public init(scale: TrackerScale) {
        self.scale = scale
        energies = ReversedRing(size: 2 * (scale.longestLag + 4) + TrackerScale.stepSamples)
        periodFrames = 1
        reset()
    }

    /// Clears all state.
    @_noLocks
    public mutating func reset() {
        energies.reset()
        markFrame = 0
        periodFrames = 100 * Double(scale.factor)
        isSure = false
    }

    /// The number of words of `note`.
    public static var noteWords: Int { 7 }

    /// Writes the positions of the marks.
    @_noLocks
    public func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(markFrame)
        notes.pointee.put(periodFrames)
        notes.pointee.put(isSure ? 1 : 0)
        notes.pointee.put(age)
        notes.pointee.put(lastPeriod)
        notes.pointee.put(trend)
        notes.pointee.put(square)
    }

    /// Continues from noted positions.
    @_noLocks
    public mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        markFrame = notes.pointee.popNumber(within: PeriodMarks.mostFrames)
        // Far from 0: marks are counted in periods.
        periodFrames = max(1, notes.pointee.popNumber(within: 1e5))
        isSure = notes.pointee.pop(from: 0, through: 1) == 1
        age = notes.pointee.popNumber(within: PeriodMarks.mostFrames)
        lastPeriod = notes.pointee.popNumber(within: 1e5)
        trend = notes.pointee.popNumber(within: 1e5)
        square = notes.pointee.popNumber(within: 1e10)
    }

    /// A number of frames that no session reaches.
    private static var mostFrames: Double { @_noLocks get { 0x1p50 } }

    /// Measures the frames of a step; the frame before them must be readable as well.
    @_noLocks
    public mutating func add(_ frames: UnsafePointer<Float>) {
        energies.open()
        let last = TrackerScale.stepSamples - 1
        for sample in 0...last {
            var sum: Float = 0
            for frame in sample * scale.factor..<(sample + 1) * scale.factor {
                let difference = frames[frame] - 0.98 * frames[frame - 1]
                sum += difference * difference
            }
            energies.write(sum, at: last - sample)
        }
    }

    /// Drops the marks: the next voice starts with new ones.
    @_noLocks
    public mutating func lose() { isSure = false }

    /// Advances to the last mark before `now`, in frames, and pulls it towards the energy.
    @_noLocks
    public mutating func follow(_ pitch: VoicePitch, now: Double) {
        let period = pitch.periodFrames
        if markFrame + period <= now { markFrame += rt_floor((now - markFrame) / period) * period }
        let (distance, sureness) = centre(period: period, now: now)
        guard isSure else {
            markFrame += distance
            periodFrames = period
            isSure = true
            age = 0
            lastPeriod = period
            trend = 0
            square = 0
            return
        }
        let step = Double(scale.stepFrames)
        if abs(period - lastPeriod) > PeriodMarks.glide * period { age = 0 }
        lastPeriod = period
        // Breath moves the centre at random. Only a distance that lasts pulls completely.
        let memory = min(1, step / (PeriodMarks.trendPeriods * period))
        let share = distance / period
        trend += memory * (share - trend)
        square += memory * (share * share - square)
        let steadiness = min(1, trend * trend / (square + 1e-12))
        let weight = square > PeriodMarks.farSquare ? 1 : steadiness * steadiness
        let gain =
            min(1, step / (PeriodMarks.pullPeriods * period)) * min(1, 2 * sureness)
            * (age < PeriodMarks.settling ? 1 : weight)
        age += step / period
        let limit = PeriodMarks.pullLimit * step
        let move = min(max(gain * distance, -limit), limit)
        markFrame += move
        periodFrames = period / (1 - move / step)
    }

    /// Returns the last mark up to a time, in frames.
    @_noLocks
    public func last(before time: Double) -> Double {
        markFrame + rt_floor((time - markFrame) / periodFrames) * periodFrames
    }

    /// Returns the distance from the mark to the energy's centre in frames, and how concentrated
    /// the energy is, over the newest two periods.
    ///
    /// With g = e^(iπt / period), a Hann window over two periods is 1/2 - 1/2 Re g, and one turn
    /// per period is g². One rotor therefore gives both.
    @_noLocks
    private func centre(period: Double, now: Double) -> (distance: Double, sureness: Double) {
        let sum = turnedSum(period: period)
        let length = rt_sqrt(Double(sum.x * sum.x + sum.y * sum.y))
        guard length > 1e-12, length.isFinite else { return (0, 0) }
        let turn = rt_atan2(Double(sum.y), Double(sum.x)) / (2 * Double.pi)
        let phase = (now - 0.5 - markFrame) / period - turn
        return ((phase - rt_round(phase)) * period, length / (Double(sum.z) + 1e-12))
    }

    /// Returns the product of two turns, each given as its cosine and its sine.
    @_noLocks @inline(__always)
    private static func turned(_ a: SIMD2<Double>, by b: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
    }

    /// Returns the energies of the newest two periods under a Hann window, turned by one turn per
    /// period, and their plain sum.
    @_noLocks
    private func turnedSum(period: Double) -> SIMD3<Float> {
        // A rotor of half a turn per period gives the window by its cosine, and the turn by its
        // square.
        let angle = Double.pi * Double(scale.factor) / period
        let (halfCosine, halfSine) = (rt_cos(0.5 * angle), rt_sin(0.5 * angle))
        let turn = SIMD2(halfCosine * halfCosine - halfSine * halfSine, 2 * halfCosine * halfSine)
        var lead = SIMD2(halfCosine, halfSine)
        var (cosine, sine) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        for lane in 0..<4 {
            (cosine[lane], sine[lane]) = (Float(lead.x), Float(lead.y))
            lead = PeriodMarks.turned(lead, by: turn)
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
