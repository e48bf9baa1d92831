internal import CRealtime

/// The relation between periods and notes in equal temperament.
struct Tuning: BitwiseCopyable {
    /// The period of the A above middle C, the note 69, in frames.
    private let referencePeriod: Double

    /// Creates a tuning.
    ///
    /// - Parameters:
    ///   - reference: The frequency of the A above middle C, in Hz.
    ///   - sampleRate: In Hz.
    @_noLocks
    init(reference: Double, sampleRate: Double) { referencePeriod = sampleRate / reference }

    /// Returns the note of a period in frames, with fractions.
    @_noLocks
    func note(periodFrames: Double) -> Double {
        69 + 12 / 0.6931471805599453 * rt_log(referencePeriod / periodFrames)
    }

    /// Returns the period of a note, in frames.
    @_noLocks
    func periodFrames(note: Double) -> Double { referencePeriod * rt_exp2((69 - note) / 12) }
}
