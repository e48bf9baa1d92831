internal import CRealtime
internal import Realtime

/// The note that a voice sings: which member of a set of notes it means, for how long, and how its
/// pitch moves around it.
///
/// A note settles when the pitch has been steady next to it. Until then the voice may be gliding
/// past it, and the nearest member replaces it at once. A settled note changes only when the pitch
/// has been clearly nearer to another member for a while: longer for a voice with vibrato, whose
/// pitch comes near to other members for less than half a turn.
struct NoteCourse: ~Copyable {
    private var pitches: RecentPitches
    private let stepSeconds: Double
    /// The number of steps of a vibrato's turn, and the number since the note began.
    private let turnSteps: Int
    private var noteSteps = 0
    /// The time for which the pitch has been nearer to another member.
    private var awaySeconds = 0.0
    /// The number of steps for which the pitch has been steady near the note, and for which no
    /// note has been settled.
    private var steadySteps = 0
    private var searchSteps = 0
    /// The numbers of such steps after which a note is settled, and the number over which the pitch
    /// is compared.
    private let settlingSteps: Int
    private let searchLimit: Int
    private let slopeSteps: Int
    /// How much more the pitch differs from that half a turn ago than from that a whole turn ago,
    /// in semitones: positive with vibrato.
    private var swing = 0.0
    /// The member that is sung; `nil` while nothing is sung.
    private(set) var note: Double?
    /// The current pitch as a note.
    private(set) var pitch = 0.0

    /// The length of a vibrato's turn in seconds; they differ from singer to singer.
    private static var turnSeconds: Double { @_noLocks get { 0.18 } }
    /// How far beyond the middle between two notes the pitch must be, in semitones.
    private static var margin: Double { @_noLocks get { 0.1 } }
    /// How long a steady pitch, and a pitch with vibrato, must be nearer to another note.
    private static var steadySeconds: Double { @_noLocks get { 0.012 } }
    private static var vibratoSeconds: Double { @_noLocks get { 0.08 } }
    /// The time for which the pitch must be steady, the time over which it is compared, and the
    /// largest change in that time, in semitones.
    ///
    /// A vibrato is steady, a glide between two notes is not.
    private static var settlingSeconds: Double { 0.045 }
    /// The longest search: a strong vibrato is never steady.
    private static var searchSeconds: Double { 0.07 }
    private static var slopeSeconds: Double { 0.0067 }
    private static var steadyChange: Double { @_noLocks get { 0.12 } }
    /// The distance from a note in semitones that no vibrato reaches.
    private static var farDistance: Double { @_noLocks get { 2.5 } }
    /// The swing that counts as vibrato, and the largest that a step adds, in semitones.
    private static var vibrato: Double { @_noLocks get { 0.15 } }
    private static var largestSwing: Double { @_noLocks get { 1 } }

    init(stepSeconds: Double) {
        self.stepSeconds = stepSeconds
        turnSteps = max(2, Int(NoteCourse.turnSeconds / stepSeconds))
        settlingSteps = max(2, Int(NoteCourse.settlingSeconds / stepSeconds))
        searchLimit = max(2, Int(NoteCourse.searchSeconds / stepSeconds))
        slopeSteps = min(turnSteps - 1, max(1, Int(NoteCourse.slopeSeconds / stepSeconds)))
        pitches = RecentPitches(count: turnSteps)
    }

    /// The number of words of `note`.
    var noteWords: Int { 7 + pitches.noteWords }

    /// Writes the note and its latest pitches.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(note ?? .infinity)
        notes.pointee.put(pitch)
        notes.pointee.put(noteSteps)
        notes.pointee.put(awaySeconds)
        notes.pointee.put(steadySteps)
        notes.pointee.put(searchSteps)
        notes.pointee.put(swing)
        pitches.note(to: notes)
    }

    /// Continues with a noted note.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        let noted = Double(bitPattern: notes.pointee.pop())
        note = noted >= -256 && noted <= 256 ? noted : nil
        pitch = notes.pointee.popNumber(within: 256)
        noteSteps = notes.pointee.pop(from: 0, through: 1 << 50)
        awaySeconds = notes.pointee.popNumber(within: 1e6)
        steadySteps = notes.pointee.pop(from: 0, through: 1 << 50)
        searchSteps = notes.pointee.pop(from: 0, through: 1 << 20)
        swing = notes.pointee.popNumber(within: 256)
        pitches.follow(notes)
    }

    /// How long the note has been sung.
    var seconds: Double { @_noLocks get { Double(noteSteps) * stepSeconds } }

    /// The mean of the pitch over the latest part of the note: about one turn of a vibrato.
    var mean: Double {
        @_noLocks get {
            guard noteSteps > 0 else { return pitch }
            // The sums of a damaged box could have any mean.
            return max(-256, min(pitches.mean(min(noteSteps, pitches.heldCount)), 256))
        }
    }

    /// Ends the note: the voice has no pitch.
    @_noLocks
    mutating func end() {
        note = nil
        noteSteps = 0
        awaySeconds = 0
        steadySteps = 0
        searchSteps = 0
        swing = 0
        pitches.clear()
    }

    /// Follows the pitch by one step.
    ///
    /// - Parameters:
    ///   - pitch: The pitch as a note, with fractions.
    ///   - notes: The notes that can be meant.
    @_noLocks
    mutating func step(_ pitch: Double, among notes: NoteSet) {
        self.pitch = pitch
        pitches.add(pitch)
        measureSwing()
        let nearest = notes.nearest(to: pitch)
        if let note, isMember(note, of: notes), !mustChange(from: note, to: nearest) {
            settle(at: note, nearest: nearest)
        } else if isSettled && isVibrato {
            // The middle of a vibrato is the mean of a turn.
            change(to: notes.nearest(to: pitches.mean(pitches.heldCount)))
        } else {
            change(to: nearest)
        }
        noteSteps += 1
    }

    /// Returns whether the pitch has been nearer to another note for long enough.
    @_noLocks
    private mutating func mustChange(from note: Double, to nearest: Double) -> Bool {
        let excess = abs(pitch - note) - abs(pitch - nearest)
        guard isSettled else { return excess > 0 }
        awaySeconds = excess > 2 * NoteCourse.margin ? awaySeconds + stepSeconds : 0
        return awaySeconds >= (isVibrato ? NoteCourse.vibratoSeconds : NoteCourse.steadySeconds)
    }

    /// Whether a vibrato can be the reason for the distance of the pitch from the note.
    private var isVibrato: Bool {
        @_noLocks get {
            guard let note else { return false }
            return swing > NoteCourse.vibrato && abs(pitch - note) < NoteCourse.farDistance
        }
    }

    private var isSettled: Bool {
        @_noLocks get { isSteady || searchSteps >= searchLimit }
    }

    private var isSteady: Bool { @_noLocks get { steadySteps >= settlingSteps } }

    /// Counts the steps in which the pitch is steady near the note, until it is settled.
    @_noLocks
    private mutating func settle(at note: Double, nearest: Double) {
        guard !isSteady else { return }
        searchSteps = min(searchSteps + 1, searchLimit)
        let staysNear =
            note == nearest && pitches.heldCount > slopeSteps
            && abs(pitch - pitches.pitch(stepsAgo: slopeSteps)) < NoteCourse.steadyChange
        steadySteps = staysNear ? steadySteps + 1 : 0
    }

    @_noLocks
    private mutating func measureSwing() {
        guard pitches.heldCount == turnSteps else { return }
        let half = abs(pitch - pitches.pitch(stepsAgo: turnSteps / 2))
        let whole = abs(pitch - pitches.pitch(stepsAgo: turnSteps - 1))
        let limit = NoteCourse.largestSwing
        let fresh = min(max(half - whole, -limit), limit)
        swing += (fresh - swing) * min(1, stepSeconds / (0.5 * NoteCourse.turnSeconds))
    }

    /// Returns whether a note is a member: sets can change while a note is sung.
    @_noLocks
    private func isMember(_ note: Double, of notes: NoteSet) -> Bool {
        notes.isEmpty || notes.contains(Int(rt_round(note)))
    }

    @_noLocks
    private mutating func change(to other: Double) {
        awaySeconds = 0
        guard note != other else { return }
        if isSettled && isVibrato {
            searchSteps = searchLimit
        } else if isSteady {
            searchSteps = 0
        }
        note = other
        noteSteps = 0
        steadySteps = 0
    }
}

/// The pitches of the latest steps.
private struct RecentPitches: ~Copyable {
    /// Sums of all pitches up to each step.
    private let sums: Buffer<Double>
    private var newest = 0
    /// The number of pitches, at most the number that is kept.
    private(set) var heldCount = 0

    init(count: Int) { sums = Buffer(count: count + 1, repeating: 0) }

    @_noLocks
    mutating func clear() {
        sums.fill(with: 0)
        newest = 0
        heldCount = 0
    }

    /// The number of words of `note`.
    var noteWords: Int { 2 + sums.count }

    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(newest)
        notes.pointee.put(heldCount)
        for index in 0..<sums.count { notes.pointee.put(sums[index]) }
    }

    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        newest = notes.pointee.pop(from: 0, through: sums.count - 1)
        heldCount = notes.pointee.pop(from: 0, through: sums.count - 1)
        for index in 0..<sums.count { sums[index] = notes.pointee.popNumber(within: 1e12) }
    }

    @_noLocks
    mutating func add(_ pitch: Double) {
        let sum = sums[newest] + pitch
        newest = newest + 1 == sums.count ? 0 : newest + 1
        sums[newest] = sum
        heldCount = min(heldCount + 1, sums.count - 1)
    }

    /// Returns the pitch of an earlier step; 0 is the newest.
    @_noLocks
    func pitch(stepsAgo: Int) -> Double { sum(stepsAgo) - sum(stepsAgo + 1) }

    /// Returns the mean of the newest pitches.
    @_noLocks
    func mean(_ count: Int) -> Double { (sum(0) - sum(count)) / Double(count) }

    @_noLocks
    private func sum(_ stepsAgo: Int) -> Double {
        sums[newest < stepsAgo ? newest - stepsAgo + sums.count : newest - stepsAgo]
    }
}
