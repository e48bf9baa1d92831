/// Plugins whose output is known to differ between runs, or that end their process, with the
/// reasons.
enum Exceptions {
    private static let reasons = [
        "http://plugin.org.uk/swh-plugins/const":
            "adds an amplitude that it never sets: what its memory held before"
    ]

    /// Returns why a plugin may differ, or `nil` if it must not.
    static func reason(for uri: String) -> String? { reasons[uri] }
}
