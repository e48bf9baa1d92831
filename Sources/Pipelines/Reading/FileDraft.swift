/// A text that a check reads instead of a file, because it is not written yet.
public struct FileDraft: Sendable, Equatable {
    /// The path of the file, as the other files refer to it.
    public let path: String
    /// The text.
    public let bytes: [UInt8]

    /// Creates a draft.
    public init(_ bytes: [UInt8], of path: String) {
        self.path = path
        self.bytes = bytes
    }
}

extension FileDraft? {
    /// Returns the contents of a file, or of the draft if it replaces the file.
    func contents(of path: String) throws(UnreadableFile) -> FileContents {
        if let self, self.path == path { return FileContents(self.bytes) }
        return try FileContents(path: path)
    }
}
