internal import CLiblo
internal import Glibc

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

extension OSCMessage {
    /// Reads a message; `nil` if the bytes are not a message.
    package init?(bytes: some Collection<UInt8>) {
        // A copy, because liblo swaps the bytes of numbers in place. Its address is aligned for
        // every number.
        var copy = Array(bytes)
        guard copy.first == UInt8(ascii: "/"), copy.count % 4 == 0 else { return nil }
        var result: Int32 = 0
        let size = copy.count
        guard let message = lo_message_deserialise(&copy, size, &result) else { return nil }
        defer { lo_message_free(message) }
        path = String(decoding: copy.prefix { $0 != 0 }, as: UTF8.self)
        arguments = Self.arguments(of: message)
    }

    private static func arguments(of message: lo_message) -> [Argument] {
        guard let types = lo_message_get_types(message), let values = lo_message_get_argv(message)
        else { return [] }
        return (0..<Int(lo_message_get_argc(message))).map { index in
            Argument(UInt8(bitPattern: types[index]), values[index].map { UnsafeRawPointer($0) })
        }
    }

    /// The bytes to send.
    package var bytes: [UInt8] {
        guard let message = lo_message_new() else { return [] }
        defer { lo_message_free(message) }
        for argument in arguments { argument.add(to: message) }
        var size = 0
        guard let bytes = lo_message_serialise(message, path, nil, &size) else { return [] }
        defer { free(bytes) }
        return Array(UnsafeRawBufferPointer(start: bytes, count: size))
    }
}

extension OSCMessage.Argument {
    /// Creates the argument of a type letter; liblo has checked that the value is complete.
    fileprivate init(_ type: UInt8, _ value: UnsafeRawPointer?) {
        switch (type, value) {
        case (UInt8(ascii: "i"), let value?): self = .integer(value.loadUnaligned(as: Int32.self))
        case (UInt8(ascii: "h"), let value?): self = .long(value.loadUnaligned(as: Int64.self))
        case (UInt8(ascii: "f"), let value?): self = .float(value.loadUnaligned(as: Float.self))
        case (UInt8(ascii: "d"), let value?): self = .double(value.loadUnaligned(as: Double.self))
        case (UInt8(ascii: "s"), let value?), (UInt8(ascii: "S"), let value?):
            self = .text(String(cString: value.assumingMemoryBound(to: CChar.self)))
        case (UInt8(ascii: "T"), _): self = .toggle(true)
        case (UInt8(ascii: "F"), _): self = .toggle(false)
        default: self = .other(type)
        }
    }

    fileprivate func add(to message: lo_message) {
        switch self {
        case .integer(let value): lo_message_add_int32(message, value)
        case .long(let value): lo_message_add_int64(message, value)
        case .float(let value): lo_message_add_float(message, value)
        case .double(let value): lo_message_add_double(message, value)
        case .text(let value): lo_message_add_string(message, value)
        case .toggle(true): lo_message_add_true(message)
        case .toggle(false): lo_message_add_false(message)
        case .other: lo_message_add_nil(message)
        }
    }
}
