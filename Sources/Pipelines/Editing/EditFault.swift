/// Why a file's text is not changed, or not saved.
public struct EditFault: Error, Sendable, Equatable {
    /// A sentence without its full stop.
    public var message: String

    init(_ message: String) { self.message = message }
}
