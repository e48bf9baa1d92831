/// A fault of a file: where it is, what it is, and what would be right.
public struct Diagnostic: Sendable, Equatable, Error {
    /// The file's path, as it was given.
    public var file: String
    /// From 1.
    public var line: Int
    /// From 1, in Unicode scalars.
    public var column: Int
    /// RFC 6901, empty for the whole document.
    public var pointer: String
    /// The kind of fault.
    public var code: Code
    /// A sentence without its full stop, with the value and what was allowed.
    public var message: String
    /// What was probably meant.
    public var suggestion: String?

    /// Whether it can be played all the same.
    public var severity = Severity.error

    /// How grave a fault is.
    public enum Severity: String, Sendable { case error, warning }

    /// The kind of fault; stable.
    public enum Code: String, Sendable, CaseIterable {
        case syntax, limit
        case duplicateKey = "duplicate-key"
        case unknownKey = "unknown-key"
        case missingKey = "missing-key"
        case type, range
        case duplicateID = "duplicate-id"
        case unknownType = "unknown-type"
        case reference, cycle, channels, plugin, file, binding
    }
}
