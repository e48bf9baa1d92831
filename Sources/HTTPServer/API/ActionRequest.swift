internal import SessionCore

/// An action of the session with its optional value.
struct ActionRequest {
    /// The action.
    let command: SessionCommand
    private let value: Value?

    /// Creates a request; `nil` if there is no such action.
    init?(_ name: String, value: Value?) {
        guard let command = SessionCommand(rawValue: name) else { return nil }
        self.command = command
        self.value = value
    }

    /// The request to the session.
    var request: SessionRequest {
        value.map { .set(command.rawValue, $0) } ?? .perform(command)
    }

    /// Whether the action depends on the song, the scene, the cue or the file that a page shows.
    var dependsOnStage: Bool {
        switch command {
        case .nextScene, .previousScene, .nextSong, .previousSong, .go, .back, .save, .saveScene,
            .undo, .redo, .compare:
            true
        case .tap, .panic, .fadeAll, .stopAll, .keep: false
        }
    }
}
