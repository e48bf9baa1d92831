internal import Pipelines
internal import SessionCore

/// The parts `files` and `history`.
enum FilesJSON {
    /// Returns the files that play, with their numbers and tags.
    static func array(_ files: [SessionFiles.File]) -> JSONValue {
        .array(
            files.enumerated().map { index, file in
                [
                    "number": .integer(index + 1), "file": .string(file.path),
                    "setlist": .bool(file.isSetlist),
                    "songs": .array(file.songs.map { .string($0) }),
                    "tag": .optional(file.tag?.text),
                ]
            })
    }

    /// Returns the names of the edits that can be undone and redone next.
    static func object(_ history: SessionFiles.History) -> JSONValue {
        ["undo": .optional(history.undo), "redo": .optional(history.redo)]
    }
}
