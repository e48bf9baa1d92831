package import Pipelines
package import SessionCore

extension ServerPort {
    /// `{"name", "kind", "for", "physical", "aliases"}`; `for` is "inputs" or "outputs".
    package var json: JSONValue { .object(members) }

    /// The object with the notes of other programs: also `pretty_name`, `group`, `order` and
    /// `signal_type`, null without a note.
    package var jsonWithMetadata: JSONValue {
        .object(
            members + [
                .init("pretty_name", .optional(metadata.prettyName)),
                .init("group", .optional(metadata.group)),
                .init("order", metadata.order.map { .integer($0) } ?? .null),
                .init("signal_type", .optional(metadata.signalType)),
            ])
    }

    private var members: [JSONValue.Member] {
        [
            .init("name", .string(name)), .init("kind", .string(kind.rawValue)),
            .init("for", isForInputs ? "inputs" : "outputs"),
            .init("physical", .bool(isPhysical)),
            .init("aliases", .array(aliases.map { .string($0) })),
        ]
    }
}
