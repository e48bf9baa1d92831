internal import Processing

/// The path of a file below a folder of the library, which cannot lead out of it.
struct LibraryPath: Sendable, Equatable {
    /// The largest number of folders below the first one.
    static let mostFolders = 8
    /// The longest name of a file or folder, in bytes; it leaves room for a temporary name.
    private static let mostNameBytes = 200

    /// The names of the folders.
    let folders: [String]
    /// The name of the file.
    let name: String

    /// Reads a path with slashes; `nil` if a name is empty, hidden, too long, or contains control
    /// characters.
    ///
    /// Hidden names begin with a dot; among them are `.` and `..`.
    init?(_ text: String) {
        let names = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy(Self.isAllowed), names.count <= Self.mostFolders + 1,
            let last = names.last
        else { return nil }
        folders = Array(names.dropLast())
        name = last
    }

    /// The path with slashes.
    var text: String { (folders + [name]).joined(separator: "/") }

    /// Returns whether a name is visible, and can be shown and stored.
    static func isAllowed(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= mostNameBytes
            && !name.utf8.contains(0) && !name.contains("/")
            && !name.unicodeScalars.contains(where: \.isControlling)
    }
}
