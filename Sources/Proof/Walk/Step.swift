public import SessionCore

/// The start of a song, or a single change during it.
public struct Step: Sendable, Equatable {
    /// The kind of the step; the names are stable.
    public enum Kind: String, Sendable, CaseIterable {
        case song, scene, bypass, edit, undo, binding
    }

    /// The action that starts a step.
    public enum Deed: Sendable, Equatable {
        /// Switches to a song, by its index.
        case song(Int)
        /// Switches to another song by `go` or `back`; the song has the given index.
        case cue(SessionCommand, song: Int)
        /// Switches to a scene, by its index in the song.
        case scene(Int)
        /// Sets values, in order.
        case set([AddressValue])
        /// Sweeps a value over its range and back, throughout the step.
        case sweep([AddressValue])
        /// Replaces a node with a new one that has the same properties, as an edited file would.
        case replace(node: String)
        /// Undoes the edit.
        case undo
        /// Performs an action.
        case perform(SessionCommand)
    }

    /// The kind of the step.
    public var kind: Kind
    /// The action that starts the step.
    public var deed: Deed
    /// The description for people, such as "bypass on".
    public var title: String
    /// The song, scene or node that it changes.
    public var place: Place

    /// Whether a value is swept.
    var isSweep: Bool { if case .sweep = deed { true } else { false } }

    /// Whether the step lasts as long as a song or a scene, and not only a quarter of it.
    public var isLong: Bool { kind == .song || kind == .scene }
}
