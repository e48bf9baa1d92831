internal import Pipelines

/// An address of the session, without a dot, whose value can be set.
package enum SessionAddress: String, CaseIterable {
    case scene, song, tempo, mute, gain, tuner, learn
}

/// An address of the session, without a dot, that can only be read.
package enum ReadOnlyAddress: String, CaseIterable {
    case cue
    case nextCue = "next-cue"
    case notes, color
    case nextUndo = "next-undo"
    case nextRedo = "next-redo"
    case problems, reduced
}

/// The description of an address without a dot, for the reference.
public struct AddressDescription: Sendable {
    /// The requests that an address allows.
    public enum Kind: String, Sendable {
        case value
        case readOnly = "read-only"
        case action
    }

    /// The address.
    public let address: String
    /// The allowed requests.
    public let kind: Kind
    /// The allowed values, with their unit; for an action, the value that it can have.
    public let value: String
    /// The meaning: a phrase without a full stop.
    public let meaning: String

    /// The addresses that the session answers in addition to those of its nodes.
    ///
    /// The list is made from the enumerations that `AddressSpace` resolves, so no address can be
    /// missing.
    public static let all: [AddressDescription] =
        SessionAddress.allCases.map(\.described) + ReadOnlyAddress.allCases.map(\.described)
        + SessionCommand.allCases.map(\.described)
}

extension SessionAddress {
    fileprivate var described: AddressDescription {
        let (value, meaning) = texts
        return AddressDescription(
            address: rawValue, kind: .value, value: value, meaning: meaning)
    }

    private var texts: (value: String, meaning: String) {
        switch self {
        case .scene: ("a name, or a number from 1", "the scene in effect")
        case .song: ("a name, or a number from 1", "the current song of a setlist")
        case .tempo:
            ("\(MasterSection.tempoRange.text) beats per minute", "the tempo")
        case .mute: ("on or off", "silences all outputs")
        case .gain: ("\(MasterSection.gainRange.text) dB", "the gain of all outputs")
        case .tuner:
            (
                "an input channel such as `mic` or `mic:2`; empty for none",
                "the input of the tuner"
            )
        case .learn:
            (
                "an address, an action of a binding such as `next-song`, `scene:NAME` or `song:NAME`; empty for none",
                "the target to which the next MIDI control that moves is bound"
            )
        }
    }
}

extension ReadOnlyAddress {
    fileprivate var described: AddressDescription {
        AddressDescription(
            address: rawValue, kind: .readOnly, value: "a text; empty for none", meaning: meaning)
    }

    private var meaning: String {
        switch self {
        case .cue: "number and text of the cue in effect"
        case .nextCue: "number and text of the cue that `go` calls"
        case .notes: "the notes on the song in the setlist"
        case .color: "the color of the song in the setlist"
        case .nextUndo: "the edit of a file that `undo` takes back"
        case .nextRedo: "the edit of a file that `redo` makes again"
        case .problems: "a line for each error that the session tolerates"
        case .reduced:
            """
            the ids of the nodes that give way, with spaces between them, in the order in which \
            they gave way
            """
        }
    }
}

extension SessionCommand {
    fileprivate var described: AddressDescription {
        AddressDescription(
            address: rawValue, kind: .action, value: valueText, meaning: meaning)
    }

    private var valueText: String {
        switch self {
        case .fadeAll:
            """
            a time of \(FadeManner.allowedSeconds.text) s, or none for \
            \(Int(PlaybackStop.usualSeconds)) s
            """
        case .saveScene: "a name, or none for the scene in effect"
        default: "none"
        }
    }

    private var meaning: String {
        switch self {
        case .tap: "counts a tap of the tempo; the second tap sets it"
        case .panic: "silences all sound, and prepares all nodes again"
        case .fadeAll: "fades out all players, then stops them"
        case .stopAll: "stops all players and loopers at once"
        case .nextScene: "the next scene"
        case .previousScene: "the previous scene"
        case .nextSong: "the next song"
        case .previousSong: "the previous song"
        case .go: "the next cue: the next scene, or the first one of the next song"
        case .back: "the previous cue: the previous scene, or the last one of the previous song"
        case .save: "saves the live values into the file of the song"
        case .saveScene: "saves the live values in a scene of the file"
        case .undo: "takes the last edit of a file back"
        case .redo: "makes the edit again that was taken back last"
        case .compare: "switches between the saved and the live values"
        case .keep: "writes the last minutes as a box, which can be replayed"
        }
    }
}

extension ClosedRange<Double> {
    /// The limits as whole numbers: `20…400`.
    fileprivate var text: String { "\(Int(lowerBound))…\(Int(upperBound))" }
}
