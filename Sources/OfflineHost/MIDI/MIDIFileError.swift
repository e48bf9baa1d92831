/// The reason why a MIDI file cannot be read or written.
public struct MIDIFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The path of the file.
    public var path: String
    /// The position of the wrong byte, from 0; `nil` if the file as a whole cannot be read or
    /// written.
    public var byte: Int?
    /// The reason, without a full stop.
    public var reason: String
    /// Whether the error occurred while writing.
    public var isWriting = false

    /// The error as one sentence without its full stop.
    public var description: String {
        guard let byte else { return "\(path): \(reason)" }
        return "\(path): byte \(byte): \(reason)"
    }
}
