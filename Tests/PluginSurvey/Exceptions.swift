/// Plugins whose output is known to differ from one run to the next, or that end their process, and why.
enum Exceptions {
    private static let reasons = [
        "http://plugin.org.uk/swh-plugins/const":
            "adds an amplitude that it never sets: what its memory held before"
    ]

    /// Why a plugin may differ; nil where it may not.
    static func reason(for uri: String) -> String? { reasons[uri] }
}
