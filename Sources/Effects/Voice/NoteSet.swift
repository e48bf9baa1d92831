internal import CRealtime

/// A set of notes that is the same in all octaves.
///
/// Notes are numbered like MIDI notes, with fractions: 60 is middle C, and 1 is a semitone.
struct NoteSet: BitwiseCopyable, Equatable {
    /// Bit n says whether the notes n semitones above a C belong to the set.
    private let members: UInt16

    /// All twelve notes.
    static var all: NoteSet { @_noLocks get { NoteSet(members: 0xfff) } }

    @_noLocks
    init(members: UInt16) { self.members = members & 0xfff }

    /// Creates the notes of a scale.
    ///
    /// - Parameters:
    ///   - scale: The scale.
    ///   - key: The root of the scale, in semitones above a C, from 0 to 11.
    @_noLocks
    init(_ scale: MusicalScale, key: Int) {
        let steps = UInt32(scale.members)
        let turned = steps << UInt32(truncatingIfNeeded: key)
        self.init(members: UInt16(truncatingIfNeeded: turned | turned >> 12))
    }

    var isEmpty: Bool { @_noLocks get { members == 0 } }

    /// Returns whether a whole note belongs to the set.
    @_noLocks
    func contains(_ note: Int) -> Bool {
        members & 1 << UInt16(truncatingIfNeeded: NoteSet.noteClass(note)) != 0
    }

    /// Returns the member that is nearest to a pitch; the pitch itself if the set is empty.
    @_noLocks
    func nearest(to pitch: Double) -> Double {
        let middle = Int(rt_round(pitch))
        var best = pitch
        var distance = Double.infinity
        // Half an octave to each side contains every member once.
        for note in middle - 6...middle + 6 where contains(note) {
            let apart = abs(Double(note) - pitch)
            if apart < distance { (best, distance) = (Double(note), apart) }
        }
        return best
    }

    /// Returns the member that is a number of members above another one, or below it if the number
    /// is negative; the start itself if the set is empty.
    @_noLocks
    func member(_ steps: Int, from start: Int) -> Int {
        guard !isEmpty else { return start }
        var (note, left) = (start, steps)
        while left != 0 {
            note += left > 0 ? 1 : -1
            if contains(note) { left -= left > 0 ? 1 : -1 }
        }
        return note
    }

    /// Returns the number of semitones from the C below a note, from 0 to 11.
    @_noLocks
    private static func noteClass(_ note: Int) -> Int {
        let rest = note % 12
        return rest < 0 ? rest + 12 : rest
    }
}

/// The scales that a key can have.
enum MusicalScale: Int, CaseIterable, Sendable {
    case chromatic, major, minor, harmonicMinor, melodicMinor, dorian, phrygian, lydian
    case mixolydian, locrian, majorPentatonic, minorPentatonic, blues, wholeTone

    /// Bit n says whether the note n semitones above the root belongs to the scale.
    var members: UInt16 {
        @_noLocks get {
            switch self {
            case .chromatic: 0b1111_1111_1111
            case .major: 0b1010_1011_0101
            case .minor: 0b0101_1010_1101
            case .harmonicMinor: 0b1001_1010_1101
            case .melodicMinor: 0b1010_1010_1101
            case .dorian: 0b0110_1010_1101
            case .phrygian: 0b0101_1010_1011
            case .lydian: 0b1010_1101_0101
            case .mixolydian: 0b0110_1011_0101
            case .locrian: 0b0101_0110_1011
            case .majorPentatonic: 0b0010_1001_0101
            case .minorPentatonic: 0b0100_1010_1001
            case .blues: 0b0100_1110_1001
            case .wholeTone: 0b0101_0101_0101
            }
        }
    }
}
