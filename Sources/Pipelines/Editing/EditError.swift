/// The reason why the text of a file cannot be changed or saved.
public struct EditError: Error, Sendable, Equatable {
    /// A sentence without a full stop.
    public var message: String

    /// Creates an error from a sentence without a full stop.
    public init(_ message: String) { self.message = message }
}
