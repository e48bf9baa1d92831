internal import Glibc

/// The user's folders for what a program keeps, as the XDG base directories have them.
enum UserFolder {
    /// `stompline` in `XDG_STATE_HOME`, or else in `~/.local/state`; nil where there is no home.
    static var state: String? { own("XDG_STATE_HOME", orHome: ".local/state") }

    /// `stompline` in `XDG_CACHE_HOME`, or else in `~/.cache`; nil where there is no home.
    static var cache: String? { own("XDG_CACHE_HOME", orHome: ".cache") }

    private static func own(_ variable: String, orHome folder: String) -> String? {
        let base = absolute(variable) ?? absolute("HOME").map { $0 + "/" + folder }
        return base.map { $0 + "/stompline" }
    }

    private static func absolute(_ variable: String) -> String? {
        getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Makes a folder and those that it lies in.
    static func make(_ folder: String) {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/" + part
            mkdir(path, 0o700)
        }
    }

    /// The names of all that lies in a folder and is not hidden, sorted; none where there is no such folder.
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
