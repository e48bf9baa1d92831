public import Pipelines

/// An edit of a file that plays, which a client has made on a known content.
public struct FilePatch: Sendable, Equatable {
    /// The path of the file, as `SessionFiles` lists it.
    public let file: String
    /// The tag of the content that the edit was made on.
    public let tag: ContentTag
    /// The changes.
    public let patch: JSONPatch
    /// What the edit does, for the history, such as "add Reverb".
    public let name: String

    /// The longest name, in characters.
    public static let mostNameCharacters = 80

    /// Creates an edit; a name that is empty or too long is changed.
    public init(file: String, tag: ContentTag, patch: JSONPatch, name: String) {
        self.file = file
        self.tag = tag
        self.patch = patch
        let shown = String(name.prefix(Self.mostNameCharacters))
        self.name = shown.isEmpty ? "edit" : shown
    }
}

/// The reason why a `FilePatch` changes nothing.
public struct FileEditRefusal: Error, Sendable, Equatable {
    /// The kind of the reason.
    public let reason: Reason
    /// A sentence without its full stop.
    public let message: String

    /// The kinds of reasons.
    public enum Reason: Sendable, Equatable {
        /// The file has another content, with this tag; `nil` if it cannot be read.
        case conflict(ContentTag?)
        /// An operation of the patch is not possible; its index, from 0, if it is one operation.
        case impossible(operation: Int?)
        /// The edited files would have these errors.
        case invalid([Diagnostic])
        /// The edited song could not be prepared.
        case unprepared
    }

    /// Creates a reason.
    public init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}

/// The content of a file that plays.
public struct FileContent: Sendable, Equatable {
    /// The path.
    public let path: String
    /// The bytes of the file.
    public let bytes: [UInt8]

    /// Creates a content.
    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// The tag of the content.
    public var tag: ContentTag { ContentTag(of: bytes, file: path) }
}
