internal import Processing
internal import Platform

extension SettingDescription {
    /// Returns the setting for a scalar in a file.
    func value(of scalar: Scalar) -> Result<SettingValue, ValueError> {
        switch (kind, scalar) {
        case (.number(let range), .number(let value)):
            guard range.contains(value) else {
                return .failure(
                    .range(
                        Quantity.text(range, unit),
                        suggestion: Quantity.seconds(ofMilliseconds: value, in: range, unit)))
            }
            return .success(.number(value))
        case (.integer(let range), .number(let value)):
            return whole(value, in: range)
        case (.numberChoice(let values), .number(let value)):
            guard values.contains(value) else {
                return .failure(.range(Quantity.alternatives(values.map(\.plain))))
            }
            return .success(.number(value))
        case (.toggle, .toggle(let value)): return .success(.toggle(value))
        case (.choice(let names), .text(let value)):
            guard names.contains(value) else { return .failure(.choice(.range, names)) }
            return .success(.text(value))
        case (.text, .text(let value)), (.path, .text(let value)), (.newPath, .text(let value)),
            (.url, .text(let value)):
            guard !value.utf8.contains(0) else {
                return .failure(.range("text without a NUL character"))
            }
            return .success(.text(value))
        default: return .failure(.type(kind.expectation))
        }
    }

    private func whole(
        _ value: Double, in range: ClosedRange<Int>
    ) -> Result<SettingValue, ValueError> {
        guard value.rounded() == value else { return .failure(.type("a whole number")) }
        guard Double(range.lowerBound) <= value, value <= Double(range.upperBound) else {
            return .failure(.range(Quantity.text(range, unit)))
        }
        return .success(.number(value))
    }
}

extension SettingDescription.Kind {
    /// The kind as text for messages.
    var expectation: String {
        switch self {
        case .number: "a number"
        case .integer: "a whole number"
        case .toggle: "true or false"
        case .choice(let names): Quantity.alternatives(names.map { Quoted($0).description })
        case .numberChoice(let values): Quantity.alternatives(values.map(\.plain))
        case .text: "text"
        case .path, .newPath: "a path"
        case .url: "an address"
        case .playlist: "an array of paths"
        }
    }
}
