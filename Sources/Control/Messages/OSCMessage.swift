/// A message of Open Sound Control: a path and arguments.
public struct OSCMessage: Sendable, Equatable {
    /// The path, such as `/verb/mix`.
    public var path: String
    /// The arguments, in order.
    public var arguments: [Argument]

    /// One argument of a message.
    public enum Argument: Sendable, Equatable {
        case integer(Int32)
        case long(Int64)
        case float(Float)
        case double(Double)
        case text(String)
        case toggle(Bool)
        /// An argument of a type that the program does not use; the value is the type letter.
        case other(UInt8)
    }

    /// Creates a message from a path and arguments.
    public init(_ path: String, _ arguments: Argument...) {
        self.init(path, arguments)
    }

    /// Creates a message from a path and a list of arguments.
    public init(_ path: String, _ arguments: [Argument]) {
        self.path = path
        self.arguments = arguments
    }
}

extension OSCMessage.Argument {
    /// The number; `nil` if the argument is not a number, or not finite.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .long(let value): Double(value)
        case .float(let value): value.isFinite ? Double(value) : nil
        case .double(let value): value.isFinite ? value : nil
        case .text, .toggle, .other: nil
        }
    }

    /// The text; `nil` if the argument is not a text.
    public var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }
}
