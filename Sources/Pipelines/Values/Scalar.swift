/// A value as a file or a person writes it, before it is known what it is for.
enum Scalar {
    case number(Double)
    case toggle(Bool)
    case text(String)

    /// The value of a JSON element; nil where it is an array, an object or null.
    init?(_ element: JSONElement) {
        switch element.content {
        case .number(let value): self = .number(value)
        case .bool(let value): self = .toggle(value)
        case .string(let value): self = .text(value)
        default: return nil
        }
    }

    /// The value that is meant by typed text: `true`, `false`, a number, or else the text itself.
    ///
    /// For a toggle 1 and 0 count as `true` and `false`: a file is strict, a hand in a hurry is not.
    init(typed text: String, forToggle isForToggle: Bool) {
        switch text {
        case "true": self = .toggle(true)
        case "false": self = .toggle(false)
        case "1" where isForToggle: self = .toggle(true)
        case "0" where isForToggle: self = .toggle(false)
        // Numbers are decimal: `0x10` is none, here as in a file.
        case _ where text.utf8.contains { $0 | 0x20 == UInt8(ascii: "x") }: self = .text(text)
        default: self = Double(text).map { .number($0) } ?? .text(text)
        }
    }
}

/// Why a value does not fit what it is for.
struct ValueFault: Error {
    var code: Diagnostic.Code
    /// What it must be, as in "0…1 or true".
    var expected: String
    /// What it may be, where that is a list of names.
    var names: [String] = []

    static func type(_ expected: String) -> ValueFault {
        ValueFault(code: .type, expected: expected)
    }

    static func range(_ expected: String) -> ValueFault {
        ValueFault(code: .range, expected: expected)
    }

    static func choice(_ code: Diagnostic.Code, _ names: [String]) -> ValueFault {
        let quoted = names.map { Quoted($0).description }
        return ValueFault(code: code, expected: Quantity.alternatives(quoted), names: names)
    }
}
