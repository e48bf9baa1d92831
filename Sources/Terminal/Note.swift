internal import Glibc

/// The note of equal temperament nearest to a pitch.
package struct Note: Equatable {
    /// As a MIDI number; 69 is the A above middle C.
    package let number: Int
    /// How far the pitch lies above it, -50 through 50.
    package let cents: Double

    private static let names = [
        "C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B",
    ]

    /// Nil where there is no pitch.
    package init?(hertz: Double, reference: Double = 440) {
        guard hertz > 0, hertz.isFinite else { return nil }
        let place = 69 + 12 * log2(hertz / reference)
        number = Int(place.rounded())
        cents = 100 * (place - Double(number))
    }

    /// Its name with the octave, in which middle C is C4.
    package var name: String {
        let octave = Int((Double(number) / 12).rounded(.down))
        return "\(Self.names[number - 12 * octave])\(octave - 1)"
    }
}
