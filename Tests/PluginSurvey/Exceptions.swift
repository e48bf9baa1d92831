/// Plugins whose output is known to differ from one run to the next, or that end their process, and why.
enum Exceptions {
    private static let reasons: [String: String] = [:]

    /// Why a plugin may differ; nil where it may not.
    static func reason(for uri: String) -> String? { reasons[uri] }
}
