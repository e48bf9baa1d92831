/// What remote controls do with a show: one address space for all that may move.
///
/// Beside the addresses of nodes (`verb.mix`, `pitch.semitones`) there are those of the night, which have no dot:
///
/// | address | value | meaning |
/// | --- | --- | --- |
/// | `scene` | text, or number from 1 | the scene that is on |
/// | `song` | text, or number from 1 | the song of a setlist |
/// | `tempo` | number, 20 through 400 beats a minute | the tempo |
/// | `mute` | toggle | all outputs are silent |
/// | `gain` | number, -120 through 24 dB | gain of all outputs |
/// | `tuner` | text, an input's channel such as `mic` or `mic:2`; empty for none | what the tuner listens to |
/// | `learn` | text, an address; empty for none | what the next MIDI control that moves is bound to |
///
/// and those that are only done: `tap`, `panic`, `next-scene`, `previous-scene`, `next-song`, `previous-song`.
public enum Request: Sendable, Equatable {
    /// Gives an address a value, or does what it says where there is none.
    case set(String, Value?)
    /// Asks for an address's value.
    case get(String)
    /// Asks for the values of all addresses.
    case dump
}

/// What comes of a request.
public enum Answer: Sendable, Equatable {
    case done
    /// The values asked for, each with its address.
    case values([Entry])
    /// Nothing changed: a sentence without its full stop, and what was probably meant.
    case refused(String, suggestion: String?)

    /// An address and its value.
    public struct Entry: Sendable, Equatable {
        /// As in requests.
        public var address: String
        /// What it is now.
        public var value: Value

        /// An entry of an address and its value.
        public init(_ address: String, _ value: Value) {
            self.address = address
            self.value = value
        }
    }
}

/// What a show tells those who watch it.
public enum Notice: Sendable, Equatable {
    /// An address has another value.
    case changed(Answer.Entry)
    /// The addresses are others than before: a song, or an edited file.
    case structure
    /// A level in dB since the last one, by the port's short name; outputs and inputs, about 12 a second each.
    case level(port: String, peak: Double, rms: Double)
    /// Load in shares of the period, and how often JACK was late.
    case load(mean: Double, worst: Double, xruns: Int)
    /// What the tuner hears, in Hz; 0 where it hears no pitch.
    case pitch(hertz: Double)
}

/// The end of a show that any thread but the audio thread may use.
public protocol Desk: AnyObject, Sendable {
    /// Has a request carried out; the answer comes on the show's own thread, which must not be held up.
    func ask(_ request: Request, answer: @escaping @Sendable (Answer) -> Void)

    /// Has all notices told on the show's own thread, until it is called again; one listener at a time.
    func listen(_ listener: (@Sendable (Notice) -> Void)?)
}
