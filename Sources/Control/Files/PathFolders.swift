internal import Glibc

/// Finds the folders whose entries determine the files at some paths: the folder of each file, and of
/// each link on the way.
package struct PathFolders {
    /// The folders for all paths so far, which all exist.
    package private(set) var folders: Set<String> = []
    /// The number of entries that were looked up.
    package private(set) var lookupCount = 0
    /// The folders that were found to be no links, so that files with the same folder share a search.
    private var plainFolders: Set<String> = []

    /// The maximum number of links to follow, as in Linux (`path_resolution(7)`).
    private static let maximumLinks = 40

    /// Finds the folders for paths.
    package init(of paths: [String]) {
        for path in paths { folders.formUnion(folders(of: path)) }
    }

    /// Returns the folders for a path.
    ///
    /// If a part of the path does not exist, the result includes the folder that would contain it.
    private mutating func folders(of path: String) -> Set<String> {
        var parts = Self.parts(of: path)
        var folder = path.hasPrefix("/") ? "/" : "."
        var folders: Set<String> = []
        var links = 0
        while let part = parts.popLast() {
            let next = folder == "/" ? "/\(part)" : "\(folder)/\(part)"
            if !parts.isEmpty, plainFolders.contains(next) {
                folder = next
                continue
            }
            var status = stat()
            lookupCount += 1
            guard lstat(next, &status) == 0 else { return folders.union([folder]) }
            if status.st_mode & S_IFMT == S_IFLNK {
                folders.insert(folder)
                links += 1
                guard links <= Self.maximumLinks, let target = Self.target(of: next) else {
                    return folders
                }
                parts += Self.parts(of: target)
                if target.hasPrefix("/") { folder = "/" }
            } else if parts.isEmpty {
                folders.insert(folder)
            } else {
                if status.st_mode & S_IFMT == S_IFDIR { plainFolders.insert(next) }
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
