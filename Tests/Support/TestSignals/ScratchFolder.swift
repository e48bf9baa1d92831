internal import Glibc

/// A new, empty folder for a test's files, which is removed with this object.
public final class ScratchFolder: Sendable {
    /// The folder's path, without a trailing slash.
    public let path: String

    /// Creates the folder in the system's folder for temporary files.
    public convenience init() {
        self.init(in: getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
    }

    /// A new folder in RAM.
    public static var inRAM: ScratchFolder { ScratchFolder(in: "/dev/shm") }

    private init(in parent: String) {
        var template = Array("\(parent)/stompline-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("no folder can be made in \(parent)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// Removes a file, or a folder with its contents.
    private static func remove(_ path: String) {
        for name in names(in: path) { remove("\(path)/\(name)") }
        Glibc.remove(path)
    }

    /// Returns the names of a folder's entries in directory order; empty if the path is not a
    /// folder.
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

    /// Returns the path of a file in the folder.
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
