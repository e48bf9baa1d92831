package import Pipelines

/// A scene as a cue, for people.
public struct Cue: Sendable, Equatable {
    /// The name of the song if it is not the current one; `nil` otherwise.
    public var song: String?
    /// The name of the scene; `nil` for a song without scenes.
    public var scene: String?
    /// The number of the cue; `nil` without one.
    public var number: String?
    /// The text of the cue; `nil` without one.
    public var text: String?

    /// Creates a cue from its properties.
    public init(
        song: String? = nil, scene: String? = nil, number: String? = nil, text: String? = nil
    ) {
        self.song = song
        self.scene = scene
        self.number = number
        self.text = text
    }

    /// Creates the cue of a scene.
    package init(_ scene: Pipeline.Scene?, song: String? = nil) {
        self.init(
            song: song, scene: scene?.name, number: scene?.cue.number, text: scene?.cue.text)
    }

    /// The number and the text, or the name of the scene without a text: `12.5 Thunder`; after the
    /// name of another song and a colon.
    public var line: String {
        let cue = [number, text ?? scene].compactMap(\.self).joined(separator: " ")
        return [song, cue.isEmpty ? nil : cue].compactMap(\.self).joined(separator: ": ")
    }
}

/// The cue in effect, and the next one.
public struct CueState: Sendable, Equatable {
    /// The cue in effect; `nil` before the first one.
    public var current: Cue?
    /// The cue that `go` calls; `nil` at the end.
    public var next: Cue?
    /// The scene that follows automatically and when, for example `storm after 2 s`; `nil` if no
    /// scene follows.
    public var follow: String?

    /// Creates a state from its properties.
    public init(current: Cue? = nil, next: Cue? = nil, follow: String? = nil) {
        self.current = current
        self.next = next
        self.follow = follow
    }

    /// The addresses of the texts of the current and the next cue.
    package static let addresses = [ReadOnlyAddress.cue, .nextCue].map(\.rawValue)

    /// The longest text in Unicode scalars, so that it fits into a datagram.
    private static let maximumScalars = 250

    /// The values of the addresses; a text without a cue is empty.
    package var entries: [AddressValue] {
        zip(Self.addresses, [current, next]).map { address, cue in
            let line = (cue?.line ?? "").unicodeScalars.prefix(Self.maximumScalars)
            return AddressValue(address, .text(String(line)))
        }
    }
}
