internal import Glibc

/// The note of equal temperament nearest to a pitch.
package struct Note: Equatable {
    /// The MIDI number; 69 is the A above middle C.
    package let number: Int
    /// The deviation of the pitch from the note, -50 through 50.
    package let cents: Double

    private static let names = [
        "C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B",
    ]

    /// Creates the note of a frequency in Hz; `nil` if it is not positive and finite.
    package init?(hertz: Double, reference: Double = 440) {
        guard hertz > 0, hertz.isFinite else { return nil }
        let semitones = 69 + 12 * log2(hertz / reference)
        number = Int(semitones.rounded())
        cents = 100 * (semitones - Double(number))
    }

    /// The name with the octave; middle C is C4.
    package var name: String {
        let octave = Int((Double(number) / 12).rounded(.down))
        return "\(Self.names[number - 12 * octave])\(octave - 1)"
    }
}
