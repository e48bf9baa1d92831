internal import Glibc

/// Finds the folders whose entries determine the file at a path: its own folder, and the folder of
/// each link on the way.
enum PathFolders {
    /// The maximum number of links to follow, as in Linux (`path_resolution(7)`).
    private static let maximumLinks = 40

    /// Returns the folders for a path, which all exist.
    ///
    /// If a part of the path does not exist, the result includes the folder that would contain it.
    static func folders(of path: String) -> Set<String> {
        var parts = Self.parts(of: path)
        var folder = path.hasPrefix("/") ? "/" : "."
        var folders: Set<String> = []
        var links = 0
        while let part = parts.popLast() {
            let next = folder == "/" ? "/\(part)" : "\(folder)/\(part)"
            var status = stat()
            guard lstat(next, &status) == 0 else { return folders.union([folder]) }
            if status.st_mode & S_IFMT == S_IFLNK {
                folders.insert(folder)
                links += 1
                guard links <= maximumLinks, let target = target(of: next) else { return folders }
                parts += Self.parts(of: target)
                if target.hasPrefix("/") { folder = "/" }
            } else if parts.isEmpty {
                folders.insert(folder)
            } else {
                folder = next
            }
        }
        return folders
    }

    /// Returns the parts of a path, the last one first.
    private static func parts(of path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
    }

    private static func target(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &bytes, bytes.count)
        return count > 0
            ? String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
