internal import Pipelines
internal import SessionCore

/// The edits that the program has made of the files that play, for `undo` and `redo`.
///
/// It keeps what each edit has changed, and forgets the oldest edits when all of them need more than
/// 16 MiB.
struct EditHistory {
    /// The memory for all edits, in bytes.
    static let mostBytes = 16 << 20
    /// The memory of an edit besides its changes, in bytes: an estimate.
    private static let entryBytes = 512

    /// One edit.
    struct Entry {
        /// What the edit did, such as "add Reverb".
        let name: String
        /// The changed files, in the order in which they were written.
        let files: [FileChange]
        /// The saved values; empty for another edit.
        let values: [AddressValue]

        /// The memory that the edit needs, in bytes.
        fileprivate var byteCount: Int {
            files.reduce(EditHistory.entryBytes) { $0 + $1.change.byteCount }
        }
    }

    /// The change of one file.
    struct FileChange {
        let path: String
        let change: TextChange
        /// The tag of the file before the edit.
        let before: ContentTag
        /// The tag of the file after the edit.
        let after: ContentTag

        /// Returns the change that takes this one back.
        var inverse: FileChange {
            FileChange(path: path, change: change.inverse, before: after, after: before)
        }
    }

    /// The edits that can be undone; the last one is the next.
    private var done: [Entry] = []
    /// The edits that can be redone; the last one is the next.
    private var undone: [Entry] = []
    private var byteCount = 0

    /// The names of the edits that can be undone and redone next.
    var names: SessionFiles.History {
        SessionFiles.History(undo: done.last?.name, redo: undone.last?.name)
    }

    /// The edit that can be undone next.
    var nextUndo: Entry? { done.last }
    /// The edit that can be redone next.
    var nextRedo: Entry? { undone.last }

    /// Adds an edit; those that were undone cannot be redone any more.
    mutating func add(_ entry: Entry) {
        byteCount -= undone.reduce(0) { $0 + $1.byteCount }
        undone = []
        done.append(entry)
        byteCount += entry.byteCount
        var first = 0
        while byteCount > Self.mostBytes, first < done.count - 1 {
            byteCount -= done[first].byteCount
            first += 1
        }
        done.removeFirst(first)
    }

    /// Notes that the next edit was undone.
    mutating func noteUndo() { if let entry = done.popLast() { undone.append(entry) } }

    /// Notes that the next edit was redone.
    mutating func noteRedo() { if let entry = undone.popLast() { done.append(entry) } }
}
