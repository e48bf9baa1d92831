internal import Glibc

/// New folders for temporary files.
package enum TemporaryFolder {
    /// Creates a folder that only the user can read, in `TMPDIR` or else in `/tmp`.
    ///
    /// The caller removes it.
    ///
    /// - Parameter prefix: The start of its name.
    /// - Returns: The path; `nil`, with the reason in `SystemError.last`, if it cannot be created.
    package static func make(_ prefix: String = "stompline") -> String? {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var pattern = Array("\(parent)/\(prefix)-XXXXXX".utf8CString)
        return mkdtemp(&pattern).map { String(cString: $0) }
    }
}
