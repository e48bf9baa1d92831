internal import Pipelines

extension Float {
    /// The number in the shortest form that reads back as the same: 0.1 rather than 0.10000000149.
    var json: JSONValue { .number(Double(description) ?? Double(self)) }
}
