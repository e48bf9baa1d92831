public import Pipelines

/// The files that play, with their tags, and the history of their edits.
public struct SessionFiles: Sendable, Equatable {
    /// A file that plays.
    public struct File: Sendable, Equatable {
        /// The path.
        public let path: String
        /// Whether the file is the setlist.
        public let isSetlist: Bool
        /// The names of the songs that the file contains, in the order of the setlist.
        public let songs: [String]
        /// The tag of the content; `nil` if it cannot be read.
        public let tag: ContentTag?

        /// Creates a file.
        public init(path: String, isSetlist: Bool, songs: [String], tag: ContentTag?) {
            self.path = path
            self.isSetlist = isSetlist
            self.songs = songs
            self.tag = tag
        }
    }

    /// The names of the edits that can be undone and redone next.
    public struct History: Sendable, Equatable {
        /// The edit that `undo` takes back; `nil` without one.
        public var undo: String?
        /// The edit that `redo` makes again; `nil` without one.
        public var redo: String?

        /// Creates the names.
        public init(undo: String? = nil, redo: String? = nil) {
            self.undo = undo
            self.redo = redo
        }

        /// The read-only addresses of the names.
        package static let addresses = [ReadOnlyAddress.nextUndo, .nextRedo].map(\.rawValue)

        /// The names at their addresses; a missing one has no entry.
        package var entries: [AddressValue] {
            zip(Self.addresses, [undo, redo]).compactMap { address, name in
                name.map { AddressValue(address, .text($0)) }
            }
        }
    }

    /// The files: the setlist first, then the songs in their order.
    public var files: [File]
    /// The history.
    public var history: History

    /// Creates the state of the files.
    public init(files: [File] = [], history: History = History()) {
        self.files = files
        self.history = history
    }
}
