/// A request to read or change a session.
///
/// Addresses of nodes contain a dot (`verb.mix`, `pitch.semitones`). Those of a node's reports
/// (`tape.recorded`) can only be read. Addresses of the session contain no dot: `SessionAddress`,
/// `ReadOnlyAddress` and `SessionCommand` list them, and `AddressDescription` describes them.
public enum SessionRequest: Sendable, Equatable {
    /// Sets the value of an address.
    case set(String, Value)
    /// Moves the value of a node's address to another over a time in seconds, from 0 through 3600.
    case fade(String, Value, seconds: Double)
    /// Performs an action without a value.
    case perform(SessionCommand)
    /// Presses a computer key, by its name in files, for the bindings to it.
    case pressKey(String)
    /// Reads the value of an address.
    case get(String)
    /// Reads the values of all addresses that can be set.
    case dump
    /// Reads everything that nodes report.
    case reports
    /// Reads the songs, the pipeline and all values at one moment.
    case describe
    /// Changes a file that plays, if it still has the content that the change was made on.
    case edit(FilePatch)
    /// Reads a file that plays, by its path.
    case readFile(String)
    /// Lists, connects or disconnects ports of the JACK server.
    case ports(PortRequest)
    /// Measures levels this many times per second; 0 means the usual rate of about 12.
    ///
    /// It is at most `mostLevelsPerSecond`, and belongs to the whole session: the last request
    /// counts. `ofNodes` requests the levels of all nodes too.
    case measureLevels(perSecond: Int, ofNodes: Bool = false)

    /// Measures the spectra of these nodes, at most `Engine.tapCount`; an empty list ends it.
    ///
    /// It belongs to the whole session: the last request counts.
    case measureSpectra(ofNodes: [String])

    /// The highest number of levels per second and port.
    public static let mostLevelsPerSecond = 60
}

/// An action without a value; the raw value is its address.
public enum SessionCommand: String, Sendable, CaseIterable {
    /// Counts a tap of the tempo.
    case tap
    /// Silences all sound and prepares all processors again.
    case panic
    /// Fades out everything that players play, and stops it; the value is the time in seconds.
    case fadeAll = "fade-all"
    /// Stops all players and loopers at once.
    case stopAll = "stop-all"
    case nextScene = "next-scene"
    case previousScene = "previous-scene"
    case nextSong = "next-song"
    case previousSong = "previous-song"
    /// Calls the next cue: the next scene, or the first one of the next song.
    case go
    /// Calls the previous cue: the previous scene, or the last one of the previous song.
    case back
    /// Saves the live values into the song's file.
    case save
    /// Saves the live values into a scene: the one in effect, or the one that a text names.
    case saveScene = "save-scene"
    /// Takes the last edit of a file back.
    case undo
    /// Makes the edit again that was taken back last.
    case redo
    /// Switches between the saved and the live values.
    case compare
    /// Writes the last minutes as a box, which can be replayed.
    case keep

    /// Whether a text is a part of the request, and not just a trigger.
    package var readsText: Bool { self == .save || self == .saveScene }

    /// Whether the request edits a file, which can take a moment.
    package var editsFile: Bool {
        switch self {
        case .save, .saveScene, .undo, .redo: true
        default: false
        }
    }
}

/// The answer to a request.
public enum Answer: Sendable, Equatable {
    case done
    /// The answer to a request for a song: this song plays.
    ///
    /// It is another song than the requested one if a later request has overtaken the request.
    case playing(song: String)
    /// The requested song is being prepared. Another answer follows: `playing` or `refused`.
    case preparing(song: String)
    /// The request needs a file. Another answer follows: `edited`, `notEdited`, `file`, `kept` or
    /// `refused`.
    case pending
    /// The file was edited, and the edit plays.
    case edited(FileEdit)
    /// The file was not edited, or restored, because a change of it is not possible.
    case notEdited(FileEditRefusal)
    /// The content of a file.
    case file(FileContent)
    /// The last minutes are in a box at this path.
    case kept(path: String)
    /// The values that sound after a comparison.
    case compared(ComparedValues)
    /// The requested values.
    case values([AddressValue])
    /// Everything that nodes report.
    case reports([NodeReport])
    /// The ports of the JACK server.
    case ports([ServerPort])
    /// The songs, the pipeline and all values.
    case description(SessionDescription)
    /// The request changed nothing. The reason is a sentence without its full stop; the suggestion
    /// is the address or name that was probably meant.
    case refused(String, suggestion: String?)
}

/// An address and its value.
public struct AddressValue: Sendable, Equatable {
    /// The address in the form used in requests.
    public var address: String
    /// The current value.
    public var value: Value

    /// Creates a pair from an address and its value.
    public init(_ address: String, _ value: Value) {
        self.address = address
        self.value = value
    }
}
