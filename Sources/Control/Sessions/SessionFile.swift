internal import Glibc
internal import Pipelines
internal import Platform
public import SessionCore

/// The saved state of this program in a session: the path of the current file, and the values.
///
/// The file is not copied. The user edits it in its own folder, so relative paths in it remain
/// valid.
public struct SessionFile: Sendable, Equatable {
    /// The path of a pipeline or setlist file; relative if the file is in the session's folder.
    public var plays: String
    /// The values, in the order in which they are restored.
    public var values: [AddressValue]

    /// The name of the file in the session's folder.
    public static let name = "stompline.json"

    /// Creates the state of a file to play, and its values.
    public init(plays: String, values: [AddressValue] = []) {
        self.plays = plays
        self.values = values
    }

    /// Addresses whose values are not saved.
    private static let unsavedAddresses: Set = [
        "tuner", "learn", "problems", "reduced", "cue", "next-cue", "next-undo", "next-redo",
        "notes", "color",
    ]
    /// The addresses of the master section, whose values are kept when another session is opened.
    private static let master: Set = ["tempo", "mute", "gain"]
    /// Addresses whose values determine others; they are restored first, in this order.
    private static let restoredFirst = ["song", "scene"]

    /// Returns whether the value of an address is saved.
    static func keeps(_ address: String) -> Bool { !unsavedAddresses.contains(address) }

    /// Returns whether the value of an address is kept when another session is opened.
    static func isMasterValue(_ address: String) -> Bool { master.contains(address) }

    /// The saved song; `nil` if it is not known.
    var song: Value? { values.first { $0.address == "song" }?.value }

    /// Replaces the values with those of a dump.
    public mutating func keep(_ dump: [AddressValue]) {
        let kept = dump.filter { Self.keeps($0.address) }
        values =
            Self.restoredFirst.compactMap { word in kept.first { $0.address == word } }
            + kept.filter { !Self.restoredFirst.contains($0.address) }
    }

    /// The requests that restore the values.
    public var requests: [SessionRequest] { values.map { .set($0.address, $0.value) } }

    /// Returns the absolute path of the pipeline or setlist file.
    public func path(inFolder folder: String) -> String {
        plays.hasPrefix("/") ? plays : "\(folder)/\(plays)"
    }

    /// Reads the state in a session's folder; `nil` if it has no state yet.
    ///
    /// - Throws: `SessionFileError` if it exists and cannot be read.
    public static func read(inFolder folder: String) throws(SessionFileError) -> SessionFile? {
        let path = "\(folder)/\(name)"
        guard access(path, F_OK) == 0 else { return nil }
        guard let bytes = FileBytes.read(path, limit: Document.maximumBytes) else {
            throw SessionFileError("\(path) cannot be read")
        }
        let errors = ErrorList()
        let root = Document(parsing: bytes, errors: errors).root
        guard errors.isEmpty, let plays = root["plays"]?.string, !plays.isEmpty else {
            throw SessionFileError("\(path) is not a session of Stompline")
        }
        let members = root["values"]?.members ?? []
        return SessionFile(
            plays: plays,
            values: members.compactMap { member in
                Value(member.value).map { AddressValue(member.key, $0) }
            })
    }

    /// Returns the state of a part of a session.
    ///
    /// A new part plays the given file, or else a pipeline that passes the signal through and is
    /// created in the folder.
    ///
    /// - Parameters:
    ///   - part: The part of the session.
    ///   - given: A pipeline or a setlist; `nil` to create one.
    /// - Throws: `SessionFileError` if the folder or its file cannot be used, or the given file
    ///   does not exist.
    /// - Returns: The state.
    public static func opened(_ part: SessionPart, given: String?) throws(SessionFileError) -> Self
    {
        if let old = try read(inFolder: part.folder) { return old }
        var new = SessionFile(plays: "pipeline.json")
        if let given {
            guard let path = AbsolutePath.resolvingLinks(given) else {
                throw .init("the file \(given) does not exist")
            }
            new.plays = path
        }
        try new.write(inFolder: part.folder)
        if given == nil { try writeFirstPipeline(of: part) }
        return new
    }

    /// Writes the first pipeline.
    private static func writeFirstPipeline(of part: SessionPart) throws(SessionFileError) {
        let path = "\(part.folder)/pipeline.json"
        guard access(path, F_OK) != 0 else { return }
        let pipeline: JSONValue = [
            "version": 1, "name": .string(part.displayName), "inputs": ["in": ["channels": 2]],
            "outputs": ["out": ["channels": 2]], "nodes": [["id": "level", "type": "gain"]],
        ]
        guard FileBytes.replace(path, with: Array((pipeline.indentedText + "\n").utf8)) else {
            throw SessionFileError("\(path) cannot be written")
        }
    }

    /// Writes the state into a session's folder, which is created if it does not exist.
    ///
    /// The new file replaces the old one once it is complete.
    ///
    /// - Throws: `SessionFileError`.
    public func write(inFolder folder: String) throws(SessionFileError) {
        if mkdir(folder, 0o777) != 0, errno != EEXIST {
            throw SessionFileError("the folder \(folder) cannot be created")
        }
        let object: JSONValue = [
            "version": 1, "plays": .string(plays),
            "values": .object(values.map { .init($0.address, $0.value.json) }),
        ]
        let path = "\(folder)/\(Self.name)"
        guard FileBytes.replace(path, with: Array((object.indentedText + "\n").utf8)) else {
            throw SessionFileError("\(path) cannot be written")
        }
    }
}

/// The reason why a session's file cannot be used: a sentence without its full stop.
public struct SessionFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    init(_ description: String) { self.description = description }
}

extension Value {
    /// Creates the value of a JSON element; `nil` if it is no value of an address.
    init?(_ element: JSONElement) {
        switch element.content {
        case .number(let number): self = .number(number)
        case .bool(let isOn): self = .toggle(isOn)
        case .string(let text): self = .text(text)
        default: return nil
        }
    }

    /// The value in JSON.
    var json: JSONValue {
        switch self {
        case .number(let number): .number(number)
        case .toggle(let isOn): .bool(isOn)
        case .text(let text): .string(text)
        }
    }
}
