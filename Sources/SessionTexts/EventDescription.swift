package import Pipelines

/// The description of an event, for the reference.
package struct EventDescription: Sendable {
    /// A member of an event's object, other than `event`.
    package struct Member: Sendable {
        /// The name.
        package let name: String
        /// The meaning; empty if the name says it.
        package let meaning: String
        /// Whether some events of this name lack the member.
        package let isOptional: Bool
    }

    /// The name of the event.
    package let name: EventName
    /// When it is sent: a phrase without a full stop.
    package let meaning: String
    /// The members, in their order.
    package let members: [Member]

    /// All events.
    package static let all = EventName.allCases.map {
        EventDescription(name: $0, meaning: $0.meaning, members: $0.members)
    }
}

extension EventName {
    /// Returns the JSON object of the event, whose members have the names of the description.
    ///
    /// - Parameter values: The value of each member, in the order of the description; `nil` for a
    ///   member that the object lacks.
    /// - Returns: The object.
    package func object(_ values: JSONValue?...) -> JSONValue {
        let given = zip(members, values).compactMap { member, value in
            value.map { JSONValue.Member(member.name, $0) }
        }
        return .object([.init("event", .string(rawValue))] + given)
    }
}
