/// One key that an object of a file may have.
struct KeyDescription: Sendable {
    var name: String
    var shape: Shape
    var isRequired = false
    /// What holds where the key is left out; nil where that depends on the rest.
    var defaultValue: JSONValue?
    /// One or two sentences for those who write files.
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

/// The keys that an object of a file may have.
struct KeyTable: Sendable {
    /// What the object is, as in "a pipeline".
    var subject: String
    var keys: [KeyDescription]

    init(_ subject: String, _ keys: [KeyDescription]) {
        self.subject = subject
        self.keys = keys
    }

    subscript(name: String) -> KeyDescription? { keys.first { $0.name == name } }
    var names: [String] { keys.map(\.name) }
}
