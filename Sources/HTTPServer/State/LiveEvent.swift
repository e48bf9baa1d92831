internal import Pipelines

/// An event of the session that pages show.
struct LiveEvent {
    /// The time of the event, in seconds since 1970.
    let time: Double
    /// The object of `run --json`.
    let event: JSONValue
    /// The line for people; `nil` if the event has none.
    let text: String?

    /// The members of a message or of an entry of the snapshot.
    var members: [JSONValue.Member] {
        [.init("time", .number(time)), .init("event", event), .init("text", .optional(text))]
    }
}
