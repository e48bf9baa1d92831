public import SessionCore

/// One thing that is played: the start of a song, or one change of it.
public struct Step: Sendable, Equatable {
    /// The kind of the step; the names are stable.
    public enum Kind: String, Sendable, CaseIterable {
        case song, scene, bypass, edit, undo, binding
    }

    /// What is done at the beginning of the step.
    public enum Deed: Sendable, Equatable {
        /// Begins with a song, by its index.
        case song(Int)
        /// Calls a scene, by its index in the song.
        case scene(Int)
        /// Sets addresses, in order.
        case set([AddressValue])
        /// Moves an address from one end to the other and back, during the whole step.
        case sweep([AddressValue])
        /// Replaces a node by a new one with the same properties: an edit of the file.
        case replace(node: String)
        /// Takes the edit back.
        case undo
        /// Performs an action.
        case perform(SessionCommand)
    }

    /// The kind of the step.
    public var kind: Kind
    /// What is done at its beginning.
    public var deed: Deed
    /// What is done, for people: "bypass on".
    public var title: String
    /// Where it is done.
    public var place: Place

    /// Whether a value moves during the whole step.
    var isSweep: Bool { if case .sweep = deed { true } else { false } }

    /// Whether the step lasts as long as a song or a scene, and not only a quarter of it.
    public var isLong: Bool { kind == .song || kind == .scene }
}
