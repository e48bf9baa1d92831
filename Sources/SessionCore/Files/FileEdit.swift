public import Pipelines

/// A task with a file that the session's host carries out, because it needs the disk.
public struct FileEditOrder: Sendable, Equatable {
    /// The number of the order, for its result.
    public let number: Int
    /// The edit.
    public let task: Task

    /// Creates an order from its parts.
    package init(number: Int, task: Task) {
        self.number = number
        self.task = task
    }

    /// The kinds of tasks.
    public enum Task: Sendable, Equatable {
        /// Writes values into the file of a song.
        case save(SongSave)
        /// Changes a file that plays.
        case edit(FilePatch)
        /// Takes the last edit back.
        case undo
        /// Makes the edit again that was taken back last.
        case redo
        /// Takes the edit back that was made last and cannot play; it leaves no trace in the history.
        case restore
        /// Reads the file at a path.
        case read(String)
    }
}

/// The result of a `FileEditOrder`.
public enum FileEditResult: Sendable, Equatable {
    case done(FileEdit)
    /// The file is unchanged. The reason is a sentence without its full stop.
    case refused(String)
    /// The file is unchanged, because a `FilePatch` is not possible.
    case failed(FileEditRefusal)
    /// The content of a file.
    case read(FileContent)
}

/// An edit of a song's file that is done.
public struct FileEdit: Sendable, Equatable {
    /// The kind of the edit.
    public let kind: Kind
    /// The path of the file.
    public let path: String
    /// The path of the setlist, if it was edited too; `nil` otherwise.
    public var setlistPath: String?
    /// The values that were saved, or whose saving was undone; empty for another edit.
    public let values: [AddressValue]
    /// What the edit did, for the history; empty if it is not known.
    public var name = ""
    /// The tag of the file after the edit; `nil` if it is not known.
    public var tag: ContentTag?

    /// The kinds of edits.
    public enum Kind: Sendable, Equatable {
        /// Values were saved; `scene` is the scene that contains them, `nil` for the file as a
        /// whole.
        case saved(scene: String?)
        /// A client has changed the file.
        case edited
        /// The file is as before the last edit.
        case undone
        /// The file is as after the edit that was undone last.
        case redone

        /// The name of the kind for machines.
        public var name: String {
            switch self {
            case .saved: "saved"
            case .edited: "edited"
            case .undone: "undone"
            case .redone: "redone"
            }
        }
    }

    /// Creates an edit that is done.
    public init(_ kind: Kind, path: String, values: [AddressValue]) {
        self.kind = kind
        self.path = path
        self.values = values
    }

    /// The longest list of values in the sentence.
    private static let maximumListed = 8

    /// A sentence about the edit, without its full stop.
    public var text: String {
        switch kind {
        case .saved(let scene):
            let place = (scene.map { "the scene \($0) of \(path)" } ?? path) + also
            return "saved \(count) in \(place): \(list)"
        case .edited: return "edited \(path): \(name)"
        case .undone where values.isEmpty && name.isEmpty:
            return "restored \(path)\(also) as it was before the last edit"
        case .undone where values.isEmpty:
            return "restored \(path)\(also) as it was before \"\(name)\""
        case .redone: return "restored \(path)\(also) as it was after \"\(name)\""
        case .undone: return "restored \(path)\(also) as it was before \(count) \(were) saved"
        }
    }

    /// The addresses that keep their live values, because the edit has written them into the file;
    /// `nil` for an edit whose values are heard.
    package var keptAddresses: Set<String>? {
        if case .saved = kind { return Set(values.map(\.address)) }
        return values.isEmpty ? nil : Set(values.map(\.address))
    }

    private var also: String { setlistPath.map { " and \($0)" } ?? "" }
    private var count: String { values.count == 1 ? "1 value" : "\(values.count) values" }
    private var were: String { values.count == 1 ? "was" : "were" }

    private var list: String {
        let listed = values.prefix(Self.maximumListed).map {
            "\($0.address) \($0.value.scalar.typed)"
        }
        let rest = values.count - listed.count
        return listed.joined(separator: ", ") + (rest > 0 ? ", and \(rest) more" : "")
    }
}

/// The set of values that sounds after `compare`.
public enum ComparedValues: String, Sendable, Equatable {
    /// The values of the file with the scene in effect.
    case saved
    /// The values that were moved live.
    case live
}
