/// An error of a file that a session tolerates, and the way in which it plays nevertheless.
public struct Problem: Sendable, Equatable {
    /// The name of the song in the setlist; `nil` for a single pipeline, and for an error of the
    /// setlist that concerns no song.
    public var song: String?
    /// The id of the node; `nil` if the error is not in a node.
    public var node: String?
    /// The error.
    public var diagnostic: Diagnostic
    /// The way in which the session plays nevertheless.
    public var consequence: Consequence

    /// The way in which a session plays despite an error; the names are stable.
    public enum Consequence: String, Sendable, CaseIterable {
        /// The song is not played.
        case skipped
        /// The node passes its input through.
        case dry
        /// The node, which has no audio input, is silent.
        case silent
        /// The faulty part of the file does not apply; everything else does.
        case ignored
    }

    /// Creates a problem from its properties.
    public init(
        song: String? = nil, node: String? = nil, diagnostic: Diagnostic, consequence: Consequence
    ) {
        self.song = song
        self.node = node
        self.diagnostic = diagnostic
        self.consequence = consequence
    }

    /// Returns whether another problem has the same cause, perhaps at another line of the file.
    public func isSame(as other: Problem) -> Bool {
        song == other.song && node == other.node && consequence == other.consequence
            && diagnostic.file == other.diagnostic.file && diagnostic.code == other.diagnostic.code
            && diagnostic.message == other.diagnostic.message
    }
}
