internal import Glibc
internal import Pipelines
internal import Platform
public import SessionCore

/// The file in the user's state folder from which `run --resume` continues.
///
/// Each pipeline or setlist file has its own.
public struct ResumeFile: Sendable {
    /// The path of the file.
    public let path: String
    /// The absolute path of the pipeline or setlist.
    private let played: String

    /// The path of the file that the writing run locks.
    var lockPath: String { path + ".lock" }

    /// The longest file to read, in bytes.
    private static let maximumBytes = 1 << 20
    /// The number of files that the folder keeps; the oldest are removed.
    private static let maximumFiles = 100

    /// Creates the description of the file for a pipeline or a setlist; `nil` without a home, or
    /// for a pipe.
    ///
    /// - Parameter played: The path of the pipeline or setlist.
    public init?(for played: String) {
        var status = stat()
        guard stat(played, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let whole = AbsolutePath.resolvingLinks(played), let folder = Self.folder
        else { return nil }
        self.init(for: whole, in: folder)
    }

    /// Creates the description of a file in a folder.
    ///
    /// - Parameters:
    ///   - played: The absolute path of the pipeline or setlist.
    ///   - folder: The folder of the file.
    package init(for played: String, in folder: String) {
        self.played = played
        let last = played.split(separator: "/").last.map(String.init) ?? ""
        let name = last.hasSuffix(".json") ? String(last.dropLast(5)) : last
        // FNV-1a
        let hash = played.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        path = "\(folder)/\(name.prefix(40))-\(String(hash, radix: 16)).json"
    }

    /// `stompline/resume` in `XDG_STATE_HOME`, or else in `~/.local/state`; `nil` without a home.
    private static var folder: String? { UserFolder.state.map { $0 + "/resume" } }

    // MARK: Reading

    /// Reads the state of the last run; `nil` without a saved state.
    ///
    /// - Throws: `SessionFileError` if the file is damaged.
    public func read() throws(SessionFileError) -> SessionSnapshot? {
        guard access(path, F_OK) == 0 else { return nil }
        guard let bytes = FileBytes.read(path, limit: Self.maximumBytes) else {
            throw SessionFileError("\(path) cannot be read")
        }
        let errors = ErrorList()
        let root = Document(parsing: bytes, errors: errors).root
        guard errors.isEmpty, Self.number(root, "version") == 1, Self.text(root, "file") == played,
            let song = Self.text(root, "song"),
            let number = Self.number(root, "number").flatMap(Int.init(exactly:))
        else { throw SessionFileError("\(path) is damaged") }
        let values = root["values"]?.members ?? []
        return SessionSnapshot(
            song: song, number: number, scene: Self.text(root, "scene"),
            values: values.compactMap { member in
                Value(member.value).map { AddressValue(member.key, $0) }
            },
            tempo: Self.number(root, "tempo"), isMuted: root["mute"]?.bool ?? false,
            gainDecibels: Self.number(root, "gain") ?? 0)
    }

    // The two functions are not inlined because Swift 6.3 then stops in its pass CopyPropagation
    // ("Found outside of lifetime use") if code coverage is on, as for fuzzing.

    @inline(never)
    private static func number(_ root: JSONElement, _ key: String) -> Double? { root[key]?.number }

    @inline(never)
    private static func text(_ root: JSONElement, _ key: String) -> String? { root[key]?.string }

    // MARK: Writing

    /// Writes the state of a run.
    ///
    /// A crash at any time leaves the old or the new state.
    ///
    /// - Throws: `SessionFileError`.
    public func write(_ snapshot: SessionSnapshot) throws(SessionFileError) {
        let folder = try makeFolder()
        var members: [JSONValue.Member] = [
            .init("version", 1), .init("file", .string(played)),
            .init("song", .string(snapshot.song)), .init("number", .integer(snapshot.number)),
            .init("mute", .bool(snapshot.isMuted)), .init("gain", .number(snapshot.gainDecibels)),
            .init("values", .object(snapshot.values.map { .init($0.address, $0.value.json) })),
        ]
        if let scene = snapshot.scene { members.append(.init("scene", .string(scene))) }
        if let tempo = snapshot.tempo { members.append(.init("tempo", .number(tempo))) }
        let text = JSONValue.object(members).indentedText + "\n"
        guard FileBytes.replace(path, with: Array(text.utf8)) else {
            throw SessionFileError("\(path) cannot be written: \(SystemError.last.message)")
        }
        Self.synchronize(folder: folder)
    }

    /// Creates the folder of the file if it does not exist; returns its path.
    ///
    /// - Throws: `SessionFileError` if it cannot be created.
    @discardableResult
    func makeFolder() throws(SessionFileError) -> String {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        guard UserFolder.make(folder) else {
            throw SessionFileError(
                "the folder \(folder) cannot be created: \(SystemError.last.message)")
        }
        return folder
    }

    /// Removes the oldest files of the folder if there are too many.
    public func prune() {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        var files: [(path: String, time: Int)] = []
        guard let stream = opendir(folder) else { return }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            let path = "\(folder)/\(name)"
            guard name.hasSuffix(".json"), lstat(path, &status) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { continue }
            files.append((path, status.st_mtim.tv_sec))
        }
        closedir(stream)
        files.sort { $0.time < $1.time }
        for file in files.dropLast(Self.maximumFiles) where file.path != path {
            unlink(file.path)
            unlink(file.path + ".lock")
        }
    }

    /// Waits until the new name of a file is on the disk.
    private static func synchronize(folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
