internal import Pipelines

extension Double {
    /// The shortest text that reads back as the same number, without a point if none is needed.
    var plain: String {
        let text = description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension Float {
    /// The shortest text that reads back as the same number, without a point if none is needed.
    var plain: String {
        let text = description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// The number in the shortest form that reads back as the same: 0.1 rather than 0.10000000149.
    var json: JSONValue { .number(Double(description) ?? Double(self)) }
}
