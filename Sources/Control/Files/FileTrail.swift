internal import Glibc

/// The folders in which something has to happen before a path leads to other content: that of the file, and that of
/// every link on the way.
enum FileTrail {
    /// As many links as Linux itself follows.
    private static let mostLinks = 40

    /// The folders, of which each is there; a part of the path that is missing is waited for where it would be.
    static func folders(of path: String) -> Set<String> {
        var parts = Self.parts(of: path)
        var place = path.hasPrefix("/") ? "/" : "."
        var folders: Set<String> = []
        var links = 0
        while let part = parts.popLast() {
            let next = place == "/" ? "/\(part)" : "\(place)/\(part)"
            var status = stat()
            guard lstat(next, &status) == 0 else { return folders.union([place]) }
            if status.st_mode & S_IFMT == S_IFLNK {
                folders.insert(place)
                links += 1
                guard links <= mostLinks, let target = target(of: next) else { return folders }
                parts += Self.parts(of: target)
                if target.hasPrefix("/") { place = "/" }
            } else if parts.isEmpty {
                folders.insert(place)
            } else {
                place = next
            }
        }
        return folders
    }

    /// The parts of a path, the last one first.
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
