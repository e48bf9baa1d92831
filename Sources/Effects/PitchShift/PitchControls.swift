internal import CRealtime
internal import Processing
internal import Realtime

/// The controls that both pitch shifters share.
///
/// They glide by one step whenever the kernel reads them.
struct PitchControls: BitwiseCopyable {
    enum Parameter: Int32, EffectParameter {
        case semitones, cents, formantSemitones

        var range: ClosedRange<Float> {
            switch self {
            case .semitones, .formantSemitones: -24...24
            case .cents: -100...100
            }
        }

        var defaultValue: Float { 0 }
    }

    private var semitones: Ramp
    private var cents: Ramp
    private var formantSemitones: Ramp
    /// Output pitch over input pitch.
    private(set) var ratio: Double = 1
    /// The shift of the formants, as a ratio of frequencies.
    private(set) var formantRatio: Double = 1

    /// Creates controls that rest at their values.
    ///
    /// - Parameters:
    ///   - semitones: The transposition of the pitch.
    ///   - cents: An additional transposition, in hundredths of a semitone.
    ///   - formantSemitones: The shift of the formants.
    ///   - stepFrames: The number of frames between two steps.
    ///   - sampleRate: In Hz.
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
        guard value.isFinite, let parameter = Parameter(rawValue: parameter) else { return }
        switch parameter {
        case .semitones: if semitones.target != value { semitones.move(to: value) }
        case .cents: if cents.target != value { cents.move(to: value) }
        case .formantSemitones:
            if formantSemitones.target != value { formantSemitones.move(to: value) }
        }
    }

    /// Sets every control to its target at once.
    @_noLocks
    mutating func snap() {
        semitones.snap()
        cents.snap()
        formantSemitones.snap()
        update()
    }

    /// Advances all ramps by one step.
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
