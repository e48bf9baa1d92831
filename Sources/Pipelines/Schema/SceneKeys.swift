internal import Processing

extension PipelineKeys {
    /// The keys of a scene that are not addresses.
    ///
    /// They contain no dot, so that no address has the same name.
    static let scene = KeyTable(
        "a scene",
        fades + cue + [
            KeyDescription(
                "gain", .number(-60...24, .decibels), default: 0,
                "The gain of all audio outputs while the scene is in effect; it moves as the changes of the scene do."
            ),
            send("The MIDI messages that the scene sends each time it is called."),
        ])

    /// The keys of a scene for its place in a cue list.
    private static var cue: [KeyDescription] {
        [
            KeyDescription(
                "number", .either([.text(.filled), .number(-1e9...1e9, .none)]),
                "The number of the cue, such as 12.5 or \"12a\"."),
            KeyDescription(
                "text", .text(.filled), "The text of the cue, such as \"Thunder, then lights\"."),
            KeyDescription("then", .object(follow), "The scene that follows by itself."),
        ]
    }

    /// The longest time after which a scene follows.
    static let followSeconds = 0...86_400.0

    /// The keys of `then` that state when the scene follows; exactly one must be present.
    static let followStarts = ["after", "at"]

    /// The words before the player in `at`.
    static let endWords = "end of "

    static let follow = KeyTable(
        "\"then\"",
        [
            KeyDescription(
                "scene", .text(.any), isRequired: true, "The name of the scene that follows."),
            KeyDescription(
                "after", .number(followSeconds, .seconds),
                "The time from the beginning of this scene."),
            KeyDescription(
                "at", .text(endOfNode),
                "The end of a player, such as \"end of rain\": when it has played its file or its list to the end."
            ),
        ])

    /// The form of `at`; `CueCheck` reports other texts, because it knows the players.
    private static let endOfNode = TextForm(
        demand: "must be \"end of\" and the id of a player",
        pattern: "^" + endWords + "[A-Za-z][A-Za-z0-9_-]*$"
    ) { _ in true }
}
