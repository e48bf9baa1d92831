/// The twelve notes of an octave, by the names that files use.
enum NoteName {
    /// The name of each note above a C.
    static let all = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]

    /// Returns the set of notes in a text such as "C Eb G", or the first part of it that is no
    /// note.
    ///
    /// Names are separated by spaces or commas, and may have any number of sharps (#) and flats
    /// (b).
    static func set(from text: String) -> Result<NoteSet, UnknownNote> {
        var members: UInt16 = 0
        for word in text.split(whereSeparator: { $0 == " " || $0 == "," }) {
            guard let note = number(of: word) else { return .failure(UnknownNote(String(word))) }
            members |= 1 << UInt16(note)
        }
        return members == 0
            ? .failure(UnknownNote(text)) : .success(NoteSet(members: members))
    }

    private static func number(of word: Substring) -> Int? {
        guard let letter = word.first,
            let natural = all.firstIndex(of: String(letter).uppercased())
        else { return nil }
        var note = natural
        for sign in word.dropFirst() {
            switch sign {
            case "#", "♯": note += 1
            case "b", "♭": note -= 1
            default: return nil
            }
        }
        return (note % 12 + 12) % 12
    }

    /// A text that is not the name of a note.
    struct UnknownNote: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }
}

extension MusicalScale {
    /// The name in files.
    var name: String {
        switch self {
        case .chromatic: "chromatic"
        case .major: "major"
        case .minor: "minor"
        case .harmonicMinor: "harmonic-minor"
        case .melodicMinor: "melodic-minor"
        case .dorian: "dorian"
        case .phrygian: "phrygian"
        case .lydian: "lydian"
        case .mixolydian: "mixolydian"
        case .locrian: "locrian"
        case .majorPentatonic: "major-pentatonic"
        case .minorPentatonic: "minor-pentatonic"
        case .blues: "blues"
        case .wholeTone: "whole-tone"
        }
    }
}
