/// A message of Open Sound Control: a path and what comes with it.
public struct OSCMessage: Sendable, Equatable {
    /// As in `/verb/mix`.
    public var path: String
    /// In their order.
    public var arguments: [Argument]

    /// One value that comes with a message.
    public enum Argument: Sendable, Equatable {
        case integer(Int32)
        case long(Int64)
        case float(Float)
        case double(Double)
        case text(String)
        case toggle(Bool)
        /// A kind that says nothing to us, by its letter.
        case other(UInt8)
    }

    /// A message of its path and its arguments.
    public init(_ path: String, _ arguments: Argument...) {
        self.init(path, arguments)
    }

    /// A message of its path and a list of arguments.
    public init(_ path: String, _ arguments: [Argument]) {
        self.path = path
        self.arguments = arguments
    }
}

extension OSCMessage.Argument {
    /// The number that it is; nil for all that is none, and for what is not finite.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .long(let value): Double(value)
        case .float(let value): value.isFinite ? Double(value) : nil
        case .double(let value): value.isFinite ? value : nil
        case .text, .toggle, .other: nil
        }
    }

    /// The text that it is.
    public var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }
}
