internal import Pipelines
internal import SessionCore

/// Reads JSON from requests.
enum JSONText {
    /// Parses a whole JSON text; `nil` if it is not valid.
    static func element(_ bytes: [UInt8]) -> JSONElement? {
        let errors = ErrorList()
        let document = Document(parsing: bytes, errors: errors)
        guard errors.isEmpty, document.isWhole, !document.root.isBroken else { return nil }
        return document.root
    }
}

extension JSONElement {
    /// The value for an address; `nil` for null, arrays, objects and numbers that are not finite.
    var value: Value? {
        // It is not inlined because Swift 6.3 then stops in its pass CopyPropagation ("Found outside
        // of lifetime use") in builds for fuzzing.
        @inline(never) get {
            switch content {
            case .bool(let isOn): .toggle(isOn)
            case .number(let number): number.isFinite ? .number(number) : nil
            case .string(let text): .text(text)
            case .null, .array, .object, .broken: nil
            }
        }
    }

    /// The whole number from 0 through 2^53 - 1; `nil` for anything else.
    var wholeNumber: Int? {
        guard let number, let whole = Int(exactly: number), (0..<1 << 53).contains(whole) else {
            return nil
        }
        return whole
    }
}
