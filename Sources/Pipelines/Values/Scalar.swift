internal import Platform

/// A value from a file or a user before its target is known.
public enum Scalar: Sendable, Equatable {
    case number(Double)
    case toggle(Bool)
    case text(String)

    /// Reads a JSON element; returns `nil` for an array, an object or null.
    init?(_ element: JSONElement) {
        switch element.content {
        case .number(let value): self = .number(value)
        case .bool(let value): self = .toggle(value)
        case .string(let value): self = .text(value)
        default: return nil
        }
    }

    /// Parses a typed text: `true`, `false`, a number, or otherwise the text itself.
    ///
    /// For a toggle, 1 and 0 also mean `true` and `false`. A file is stricter than typed input.
    init(typed text: String, forToggle isForToggle: Bool) {
        switch text {
        case "true": self = .toggle(true)
        case "false": self = .toggle(false)
        case "1" where isForToggle: self = .toggle(true)
        case "0" where isForToggle: self = .toggle(false)
        // Numbers are decimal, as in a file: `0x10` is not a number.
        case _ where text.utf8.contains { $0 | 0x20 == UInt8(ascii: "x") }: self = .text(text)
        default: self = Double(text).map { .number($0) } ?? .text(text)
        }
    }
}

extension Scalar {
    /// The value as a person types it.
    public var typed: String {
        switch self {
        case .number(let number):
            // Turns -0 into 0.
            (number == 0 ? 0 : number).plain
        case .toggle(let isOn): isOn ? "true" : "false"
        case .text(let text): text
        }
    }

    /// Returns the value of a live change: a text is read like typed text, and for a toggle, 0 and
    /// 1 mean off and on.
    func read(forToggle isForToggle: Bool) -> Scalar {
        switch self {
        case .number(0) where isForToggle: .toggle(false)
        case .number(1) where isForToggle: .toggle(true)
        // Also turns -0 into 0.
        case .number(0): .number(0)
        case .number, .toggle: self
        case .text(let text): Scalar(typed: text, forToggle: isForToggle)
        }
    }
}

/// The reason why a value does not fit its target.
struct ValueError: Error {
    var code: Diagnostic.Code
    /// The allowed values, for example "0…1 or true".
    var expected: String
    /// The allowed names if the target is a choice.
    var names: [String] = []
    /// The value that was probably meant, if it is no name.
    var suggestion: String?

    static func type(_ expected: String) -> ValueError {
        ValueError(code: .type, expected: expected)
    }

    static func range(_ expected: String, suggestion: String? = nil) -> ValueError {
        ValueError(code: .range, expected: expected, suggestion: suggestion)
    }

    static func choice(_ code: Diagnostic.Code, _ names: [String]) -> ValueError {
        let quoted = names.map { Quoted($0).description }
        return ValueError(code: code, expected: Quantity.alternatives(quoted), names: names)
    }
}
