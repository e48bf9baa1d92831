internal import CRealtime
internal import Realtime

/// Decides how far the pitch of a voice is moved towards the note that is sung.
struct PitchCorrection: ~Copyable {
    private(set) var course: NoteCourse
    private let stepSeconds: Double
    /// The distance by which the pitch is moved, in semitones.
    private(set) var shift = 0.0

    /// The ages of a note between which its vibrato begins to be kept, in seconds: its beginning
    /// is a glide from the note before.
    private static var vibratoStart: Double { @_noLocks get { 0.1 } }
    private static var vibratoFull: Double { @_noLocks get { 0.25 } }
    /// The ages between which `humanise` begins to act, and its longest time constant, in seconds.
    private static var longStart: Double { @_noLocks get { 0.15 } }
    private static var longFull: Double { @_noLocks get { 0.5 } }
    private static var humanSeconds: Double { @_noLocks get { 0.5 } }

    init(stepSeconds: Double) {
        self.stepSeconds = stepSeconds
        course = NoteCourse(stepSeconds: stepSeconds)
    }

    /// The number of words of `note`.
    var noteWords: Int { 1 + course.noteWords }

    /// Writes the distance and the note.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(shift)
        course.note(to: notes)
    }

    /// Continues with a noted distance.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        shift = notes.pointee.popNumber(within: 256)
        course.follow(notes)
    }

    /// Ends the note: the voice has no pitch.
    @_noLocks
    mutating func end() {
        course.end()
        shift = 0
    }

    /// Follows a voice by one step.
    ///
    /// - Parameters:
    ///   - pitch: The pitch as a note, with fractions.
    ///   - notes: The notes that are allowed.
    ///   - controls: The parameters.
    @_noLocks
    mutating func step(_ pitch: Double, among notes: NoteSet, _ controls: TuneControls) {
        course.step(pitch, among: notes)
        guard let note = course.note, controls.amount > 0 else {
            shift = 0
            return
        }
        let kept =
            controls.vibrato
            * PitchCorrection.rise(
                course.seconds, PitchCorrection.vibratoStart, PitchCorrection.vibratoFull)
        let goal = note + kept * (pitch - course.mean)
        let wanted = controls.amount * (goal - pitch)
        let seconds =
            controls.speedSeconds + controls.humanise * PitchCorrection.humanSeconds
            * PitchCorrection.rise(
                course.seconds, PitchCorrection.longStart, PitchCorrection.longFull)
        let share = seconds > 0 ? 1 - rt_exp2(-1.4426950408889634 * stepSeconds / seconds) : 1
        shift += share * (wanted - shift)
    }

    /// Returns 0 up to `first`, 1 from `last`, and a straight line between them.
    @_noLocks
    private static func rise(_ value: Double, _ first: Double, _ last: Double) -> Double {
        min(max((value - first) / (last - first), 0), 1)
    }
}
