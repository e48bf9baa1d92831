internal import Glibc

/// Absolute paths.
package enum AbsolutePath {
    /// Returns the absolute path of an existing file or folder, without links.
    ///
    /// - Returns: The path; `nil`, with the reason in `SystemError.last`, if it cannot be resolved.
    package static func resolvingLinks(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Returns a path that begins with the working folder if the given one is relative.
    ///
    /// Links are not followed, and the file need not exist.
    ///
    /// - Returns: The path; `nil` if the working folder does not exist.
    package static func keepingLinks(_ path: String) -> String? {
        if path.hasPrefix("/") { return path }
        guard let folder = getcwd(nil, 0) else { return nil }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }
}
