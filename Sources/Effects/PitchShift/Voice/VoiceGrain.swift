internal import CRealtime

/// A grain: a piece of the input that is played once at a time, speed and gain, under an asymmetric
/// Hann window.
struct VoiceGrain: BitwiseCopyable {
    /// The window's peak, as a whole frame and a fraction of a frame.
    let centreFrame: Int
    let centreShare: Float
    /// The first frame after the end of the grain.
    let endFrame: Int
    /// The reciprocals of the lengths of the window's halves, in frames.
    let leftSlope: Float
    let rightSlope: Float
    let gain: Float
    /// The input position at the centre's whole frame, as a frame and a fraction of a frame in
    /// units of 2^-32.
    let sourceFrame: Int
    let sourceShare: Int
    /// Input frames per output frame, in units of 2^-32.
    let speed: Int
    /// The interpolation weights at speed 1, for which the fraction is constant.
    let taps: LagrangeTaps

    /// Whether the grain plays at the speed of the input.
    var isPlain: Bool { @_noLocks get { speed == 1 << 32 } }

    /// Creates a grain from its plan.
    @_noLocks
    init(_ plan: GrainPlan) {
        let centre = rt_floor(plan.centre)
        let share = plan.centre - centre
        centreFrame = Int(centre)
        centreShare = Float(share)
        endFrame = Int(rt_ceil(plan.centre + plan.rightFrames))
        leftSlope = Float(1 / plan.leftFrames)
        rightSlope = Float(1 / plan.rightFrames)
        gain = Float(plan.gain)
        let source = plan.mark - share * plan.speed
        let whole = rt_floor(source)
        sourceFrame = Int(whole)
        sourceShare = Int((source - whole) * 4_294_967_296)
        speed = Int(plan.speed * 4_294_967_296)
        taps = LagrangeTaps(share: Float(source - whole))
    }
}

/// The time, source and shape of a grain, in frames.
struct GrainPlan: BitwiseCopyable {
    /// The time of the window's peak.
    var centre: Double
    /// The input position at that time.
    var mark: Double
    var leftFrames: Double
    var rightFrames: Double
    /// Input frames per output frame.
    var speed: Double
    var gain: Double
    /// The following mark, and the share of the grain that is read from it.
    var nextMark = 0.0
    var nextShare = 0.0

    /// The part that is read from the mark itself.
    var own: GrainPlan {
        @_noLocks get {
            var part = self
            part.gain = gain * (1 - nextShare)
            return part
        }
    }

    /// The part that is read from the following mark.
    var next: GrainPlan {
        @_noLocks get {
            var part = self
            part.mark = nextMark
            part.gain = gain * nextShare
            return part
        }
    }

    /// The least distance from the read position to the newest input: interpolation reads ahead.
    static var marginFrames: Double { @_noLocks get { 4 } }

    /// Shortens the half in which reading at another speed would overtake the input.
    @_noLocks
    mutating func keepCausal() {
        guard speed != 1 else { return }
        let reach = max(1, (centre - mark - GrainPlan.marginFrames) / abs(speed - 1))
        if speed > 1 {
            rightFrames = min(rightFrames, reach)
        } else {
            leftFrames = min(leftFrames, reach)
        }
    }
}

/// The weights of six frames for interpolation between the third and the fourth.
struct LagrangeTaps: BitwiseCopyable {
    let a: Float
    let b: Float
    let c: Float
    let d: Float
    let e: Float
    let f: Float

    /// Calculates the weights at a fraction of a frame; at 0 the result is the third frame.
    @_noLocks
    init(share x: Float) {
        let (m2, m1, p1, p2, p3) = (x + 2, x + 1, x - 1, x - 2, x - 3)
        a = -m1 * x * p1 * p2 * p3 / 120
        b = m2 * x * p1 * p2 * p3 / 24
        c = -m2 * m1 * p1 * p2 * p3 / 12
        d = m2 * m1 * x * p2 * p3 / 12
        e = -m2 * m1 * x * p1 * p3 / 24
        f = m2 * m1 * x * p1 * p2 / 120
    }
}
