/// A finding of the check of a file: its position, its kind, and a suggestion.
public struct Diagnostic: Sendable, Equatable, Error {
    /// The path of the file, as the caller wrote it.
    public var file: String
    /// The line, from 1.
    public var line: Int
    /// The column, from 1, in Unicode scalars.
    public var column: Int
    /// The JSON pointer (RFC 6901); empty for the whole document.
    public var pointer: String
    /// The kind of the finding.
    public var code: Code
    /// A sentence without a full stop, with the wrong value and the allowed values.
    public var message: String
    /// The value or name that the user probably meant.
    public var suggestion: String?

    /// Whether the finding prevents playback.
    public var severity = Severity.error

    /// The severity of a finding.
    public enum Severity: String, Sendable { case error, warning }

    /// The kind of a finding; the names are stable.
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
