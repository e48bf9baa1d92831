internal import CLinux
internal import Glibc

/// A shared library that the process has loaded.
public struct LoadedLibrary: Sendable {
    /// The file without symbolic links: its name usually ends with the version of the library.
    public let path: String

    /// Finds the library that defines a function or a variable; `nil` if no loaded library does.
    ///
    /// - Parameter symbol: The name in C.
    public init?(defining symbol: String) {
        guard let named = linux_library_path(symbol) else { return nil }
        guard let resolved = realpath(named, nil) else {
            path = String(cString: named)
            return
        }
        defer { free(resolved) }
        path = String(cString: resolved)
    }

    /// Returns the text of a C function of any loaded library.
    ///
    /// - Parameter function: A function without parameters that returns a constant text, such as
    ///   `jack_get_version_string`.
    /// - Returns: The text; `nil` if no loaded library defines the function.
    public static func text(of function: String) -> String? {
        linux_library_text(function).map { String(cString: $0) }
    }
}
