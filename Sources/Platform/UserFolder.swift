internal import CLinux
internal import Glibc

/// The program's folders in the user's home, according to the XDG base directories.
package enum UserFolder {
    /// `stompline` in `XDG_STATE_HOME`, or else in `~/.local/state`; `nil` if there is no home.
    package static var state: String? { own("XDG_STATE_HOME", orHome: ".local/state") }

    /// `stompline` in `XDG_CACHE_HOME`, or else in `~/.cache`; `nil` if there is no home.
    package static var cache: String? { own("XDG_CACHE_HOME", orHome: ".cache") }

    private static func own(_ variable: String, orHome folder: String) -> String? {
        let base = absolute(variable) ?? absolute("HOME").map { $0 + "/" + folder }
        return base.map { $0 + "/stompline" }
    }

    private static func absolute(_ variable: String) -> String? {
        getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Creates a folder and its parent folders; only the user can read them.
    ///
    /// - Returns: Whether the folder exists now; otherwise the reason is in `SystemError.last`.
    @discardableResult
    package static func make(_ folder: String) -> Bool {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/" + part
            if mkdir(path, 0o700) != 0, errno != EEXIST, access(path, F_OK) != 0 { return false }
        }
        return true
    }

    /// Returns whether the files of a folder are only in RAM.
    package static func isInRAM(_ folder: String) -> Bool { linux_is_in_ram(folder) }

    /// Returns the sorted names of a folder's visible entries; empty if it cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
