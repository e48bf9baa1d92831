internal import CRealtime
internal import Realtime

/// The controls that pitch shifters share, gliding by one step each time the kernel looks at them.
struct PitchControls: BitwiseCopyable {
    private var semitones: Ramp
    private var cents: Ramp
    private var formantSemitones: Ramp
    /// Output pitch over input pitch.
    private(set) var ratio: Double = 1
    /// Where the formants go, as a ratio of frequencies.
    private(set) var formantRatio: Double = 1

    /// The farthest transposition either way, of the pitch and of the formants.
    static var limitSemitones: Float { @_noLocks get { 24 } }
    /// The farthest fine transposition either way.
    static var limitCents: Float { @_noLocks get { 100 } }

    /// Controls that rest at their values.
    ///
    /// - Parameters:
    ///   - semitones: How far the pitch moves.
    ///   - cents: How much farther, in hundredths of a semitone.
    ///   - formantSemitones: How far the formants move.
    ///   - stepFrames: How many frames lie between two steps.
    ///   - sampleRate: Frames a second.
    init(
        semitones: Float, cents: Float, formantSemitones: Float, stepFrames: Int, sampleRate: Double
    ) {
        let steps = max(1, smoothingFrames(sampleRate: sampleRate) / stepFrames)
        self.semitones = Ramp(semitones, lengthFrames: steps)
        self.cents = Ramp(cents, lengthFrames: steps)
        self.formantSemitones = Ramp(formantSemitones, lengthFrames: steps)
        update()
    }

    /// Moves a parameter by its index in the effect's description.
    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard value.isFinite else { return }
        switch parameter {
        case 0: if semitones.target != value { semitones.move(to: value) }
        case 1: if cents.target != value { cents.move(to: value) }
        case 2: if formantSemitones.target != value { formantSemitones.move(to: value) }
        default: return
        }
    }

    /// Puts everything at its target at once.
    @_noLocks
    mutating func snap() {
        semitones.snap()
        cents.snap()
        formantSemitones.snap()
        update()
    }

    /// Moves on by one step.
    @_noLocks
    mutating func step() {
        guard !(semitones.isResting && cents.isResting && formantSemitones.isResting) else {
            return
        }
        _ = semitones.next()
        _ = cents.next()
        _ = formantSemitones.next()
        update()
    }

    @_noLocks
    private mutating func update() {
        ratio = rt_exp2((Double(semitones.value) + Double(cents.value) / 100) / 12)
        formantRatio = rt_exp2(Double(formantSemitones.value) / 12)
    }
}
