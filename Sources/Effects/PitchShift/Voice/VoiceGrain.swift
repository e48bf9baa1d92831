internal import CRealtime

/// A piece of the input that sounds once, at a time, speed and gain of its own, under a Hann window of unlike halves.
struct VoiceGrain: BitwiseCopyable {
    /// The window's peak, in whole frames and the share of one after it.
    let centreFrame: Int
    let centreShare: Float
    /// The first frame after its end.
    let endFrame: Int
    /// One over the window's halves, in frames.
    let leftSlope: Float
    let rightSlope: Float
    let gain: Float
    /// What sounds at the centre's whole frame: a frame of the input, and in units of 2^-32 the share of one after it.
    let sourceFrame: Int
    let sourceShare: Int
    /// Frames of the input a frame, in units of 2^-32.
    let speed: Int
    /// Reads between frames at speed 1, where the share never changes.
    let taps: LagrangeTaps

    /// Whether it sounds at the speed of the input.
    var isPlain: Bool { @_noLocks get { speed == 1 << 32 } }

    /// A grain that a plan says.
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

/// Where and how a grain is to sound, in frames.
struct GrainPlan: BitwiseCopyable {
    /// When its window has its peak.
    var centre: Double
    /// What of the input sounds then.
    var mark: Double
    var leftFrames: Double
    var rightFrames: Double
    /// Frames of the input a frame.
    var speed: Double
    var gain: Double
    /// The mark after, and what share of the grain sounds from there.
    var nextMark = 0.0
    var nextShare = 0.0

    /// The part that sounds from the mark itself.
    var own: GrainPlan {
        @_noLocks get {
            var part = self
            part.gain = gain * (1 - nextShare)
            return part
        }
    }

    /// The part that sounds from the mark after.
    var next: GrainPlan {
        @_noLocks get {
            var part = self
            part.mark = nextMark
            part.gain = gain * nextShare
            return part
        }
    }

    /// The least distance from what sounds to the newest input: interpolation reads ahead.
    static var marginFrames: Double { @_noLocks get { 4 } }

    /// Cuts the half at which reading at another speed would overtake the input.
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

/// The weights of six frames, from two before to three after, for reading between the third and the fourth.
struct LagrangeTaps: BitwiseCopyable {
    let a: Float
    let b: Float
    let c: Float
    let d: Float
    let e: Float
    let f: Float

    /// The weights at a share of a frame; at 0 the frame itself.
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
