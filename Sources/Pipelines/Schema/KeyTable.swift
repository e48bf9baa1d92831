/// A key that an object in a file can have.
struct KeyDescription: Sendable {
    var name: String
    var shape: Shape
    var isRequired = false
    /// The default value; `nil` if it depends on other values.
    var defaultValue: JSONValue?
    /// One or two sentences for authors of files.
    var summary: String

    init(
        _ name: String, _ shape: Shape, isRequired: Bool = false, default: JSONValue? = nil,
        _ summary: String
    ) {
        self.name = name
        self.shape = shape
        self.isRequired = isRequired
        defaultValue = `default`
        self.summary = summary
    }
}

/// The keys that an object in a file can have.
struct KeyTable: Sendable {
    /// The name of the object in messages, for example "a pipeline".
    var subject: String
    var keys: [KeyDescription]

    init(_ subject: String, _ keys: [KeyDescription]) {
        self.subject = subject
        self.keys = keys
    }

    subscript(name: String) -> KeyDescription? { keys.first { $0.name == name } }
    var names: [String] { keys.map(\.name) }
}
