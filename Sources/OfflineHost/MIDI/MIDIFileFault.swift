/// Why a MIDI file cannot be read or written.
public struct MIDIFileFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// Where the file is.
    public var path: String
    /// The byte that shows it, from 0; nil where the file as a whole cannot be read or written.
    public var byte: Int?
    /// What is wrong, without a full stop.
    public var reason: String
    /// Whether it was to be written.
    public var isWriting = false

    /// One sentence without its full stop.
    public var description: String {
        guard let byte else { return "\(path): \(reason)" }
        return "\(path): byte \(byte): \(reason)"
    }
}
