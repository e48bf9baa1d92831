internal import Glibc
internal import Pipelines
public import Show

/// What a session keeps of this program: the file that plays, and the values that it had.
///
/// The file is not copied: it is edited where it is, and what lies beside it is still found.
public struct SessionFile: Sendable, Equatable {
    /// A pipeline or a setlist; relative to the session's folder where it lies in it.
    public var plays: String
    /// In the order in which they are given back.
    public var values: [Answer.Entry]

    /// Its name in the session's folder.
    public static let name = "stompline.json"

    /// A file to be played, and values for it.
    public init(plays: String, values: [Answer.Entry] = []) {
        self.plays = plays
        self.values = values
    }

    /// What is not of the session, or only done.
    private static let fleeting: Set = ["tuner", "learn"]
    /// What belongs to the night, and stays from one session to the next.
    private static let night: Set = ["tempo", "mute", "gain"]
    /// What decides which addresses there are, and what others are; in this order before all.
    private static let first = ["song", "scene"]

    /// Whether the value of an address is kept.
    static func keeps(_ address: String) -> Bool { !fleeting.contains(address) }

    /// Whether the value of an address stays from one session to the next.
    static func isOfNight(_ address: String) -> Bool { night.contains(address) }

    /// The song that played; nil where none is known.
    var song: Value? { values.first { $0.address == "song" }?.value }

    /// Keeps the values of a dump.
    public mutating func keep(_ dump: [Answer.Entry]) {
        let kept = dump.filter { Self.keeps($0.address) }
        values =
            Self.first.compactMap { word in kept.first { $0.address == word } }
            + kept.filter { !Self.first.contains($0.address) }
    }

    /// The requests that give the values back.
    public var requests: [Request] { values.map { .set($0.address, $0.value) } }

    /// The path of what plays.
    public func path(inFolder folder: String) -> String {
        plays.hasPrefix("/") ? plays : "\(folder)/\(plays)"
    }

    /// Reads the file of a session's folder; nil where there is none yet.
    ///
    /// - Throws: `SessionFileFault` where it is there and cannot be read.
    public static func read(inFolder folder: String) throws(SessionFileFault) -> SessionFile? {
        let path = "\(folder)/\(name)"
        guard access(path, F_OK) == 0 else { return nil }
        guard let bytes = FileBytes.read(path, limit: Document.maximumBytes) else {
            throw SessionFileFault("\(path) cannot be read")
        }
        let faults = FaultList()
        let root = Document(parsing: bytes, faults: faults).root
        guard faults.isEmpty, let plays = root["plays"]?.string, !plays.isEmpty else {
            throw SessionFileFault("\(path) is no session of Stompline's")
        }
        let members = root["values"]?.members ?? []
        return SessionFile(
            plays: plays,
            values: members.compactMap { member in
                Value(member.value).map { Answer.Entry(member.key, $0) }
            })
    }

    /// What a part of a session plays: what it says itself, and at its first time a file that is given, or a pipeline
    /// that passes sound on, made in its folder to be edited there.
    ///
    /// - Parameters:
    ///   - part: The part of the session.
    ///   - given: A pipeline or a setlist.
    /// - Returns: What is played.
    /// - Throws: `SessionFileFault` where the folder or its file is of no use, or the given file is not there.
    public static func opened(_ part: SessionPart, given: String?) throws(SessionFileFault) -> Self
    {
        if let old = try read(inFolder: part.folder) { return old }
        var new = SessionFile(plays: "pipeline.json")
        if let given {
            guard let path = realpath(given, nil) else { throw .init("there is no file \(given)") }
            defer { free(path) }
            new.plays = String(cString: path)
        }
        try new.write(inFolder: part.folder)
        if given == nil { try writeStart(of: part) }
        return new
    }

    /// Writes a pipeline to begin with.
    private static func writeStart(of part: SessionPart) throws(SessionFileFault) {
        let path = "\(part.folder)/pipeline.json"
        guard access(path, F_OK) != 0 else { return }
        let pipeline: JSONValue = [
            "version": 1, "name": .string(part.displayName), "inputs": ["in": ["channels": 2]],
            "outputs": ["out": ["channels": 2]], "nodes": [["id": "level", "type": "gain"]],
        ]
        guard FileBytes.replace(path, with: Array((pipeline.indentedText + "\n").utf8)) else {
            throw SessionFileFault("\(path) cannot be written")
        }
    }

    /// Writes the file into a session's folder, which is made where it is not there; the old one stays whole until the
    /// new one is.
    ///
    /// - Throws: `SessionFileFault`.
    public func write(inFolder folder: String) throws(SessionFileFault) {
        if mkdir(folder, 0o777) != 0, errno != EEXIST {
            throw SessionFileFault("the folder \(folder) cannot be made")
        }
        let object: JSONValue = [
            "version": 1, "plays": .string(plays),
            "values": .object(values.map { .init($0.address, $0.value.json) }),
        ]
        let path = "\(folder)/\(Self.name)"
        guard FileBytes.replace(path, with: Array((object.indentedText + "\n").utf8)) else {
            throw SessionFileFault("\(path) cannot be written")
        }
    }
}

/// Why a session's file is of no use: a sentence without its full stop.
public struct SessionFileFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    init(_ description: String) { self.description = description }
}

extension Value {
    fileprivate init?(_ element: JSONElement) {
        switch element.content {
        case .number(let number): self = .number(number)
        case .bool(let isOn): self = .toggle(isOn)
        case .string(let text): self = .text(text)
        default: return nil
        }
    }

    fileprivate var json: JSONValue {
        switch self {
        case .number(let number): .number(number)
        case .toggle(let isOn): .bool(isOn)
        case .text(let text): .string(text)
        }
    }
}
