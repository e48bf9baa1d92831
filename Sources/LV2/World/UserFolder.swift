internal import Glibc

/// The program's folders in the user's home, according to the XDG base directories.
enum UserFolder {
    /// `stompline` in `XDG_STATE_HOME`, or else in `~/.local/state`; `nil` if there is no home.
    static var state: String? { own("XDG_STATE_HOME", orHome: ".local/state") }

    /// `stompline` in `XDG_CACHE_HOME`, or else in `~/.cache`; `nil` if there is no home.
    static var cache: String? { own("XDG_CACHE_HOME", orHome: ".cache") }

    private static func own(_ variable: String, orHome folder: String) -> String? {
        let base = absolute(variable) ?? absolute("HOME").map { $0 + "/" + folder }
        return base.map { $0 + "/stompline" }
    }

    private static func absolute(_ variable: String) -> String? {
        getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Creates a folder and its parent folders.
    static func make(_ folder: String) {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/" + part
            mkdir(path, 0o700)
        }
    }

    /// Returns the sorted names of a folder's visible entries; empty if it cannot be read.
    static func names(in folder: String) -> [String] {
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
