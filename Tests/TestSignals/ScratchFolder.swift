internal import Glibc

/// A new, empty folder for a test's files, removed with this object.
public final class ScratchFolder: Sendable {
    /// Where it is, without a slash at the end.
    public let path: String

    /// Makes the folder where the system keeps what is temporary.
    public init() {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/stompline-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("no folder can be made in \(parent)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// Removes a file, or a folder with all that is in it.
    private static func remove(_ path: String) {
        for name in names(in: path) { remove("\(path)/\(name)") }
        Glibc.remove(path)
    }

    /// The names of what is in a folder, in their order; none where it is no folder.
    public static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }

    /// The path of a file in the folder.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a text file, and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) -> String {
        let path = file(name)
        guard let stream = fopen(path, "w") else { fatalError("cannot write \(path)") }
        fputs(text, stream)
        fclose(stream)
        return path
    }
}
