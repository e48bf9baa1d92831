internal import Glibc

/// The properties of a client that PipeWire's JACK library reads from the environment.
public enum PipeWireProperties {
    private static let variable = "PIPEWIRE_PROPS"
    private static let key = "jack.locked-process"

    /// Makes PipeWire's library call the process callback also while another callback runs.
    ///
    /// By default, the library skips the process callback then, and the outputs are silent for one
    /// cycle. JACK's own library never does. A value of the user's remains.
    ///
    /// Call it before the program starts a thread, because it changes the environment.
    public static func playDuringCallbacks() {
        guard JackLibrary.loaded.isPipeWire else { return }
        let given = getenv(variable).map { String(cString: $0) }
        setenv(variable, text(from: given), 1)
    }

    /// Returns the value of the variable.
    ///
    /// - Parameter given: The value that the user has set, with or without braces; `nil` without
    ///   one.
    /// - Returns: The value with all properties of the user's.
    package static func text(from given: String?) -> String {
        let given = given ?? ""
        guard !given.contains(key) else { return given }
        let start = given.prefix { $0.isWhitespace || $0 == "{" }
        return "\(start) \(key) = false \(given.dropFirst(start.count))"
    }
}
