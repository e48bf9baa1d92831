/// Whether the program provides bars, beats and tempo of JACK's transport.
public enum TimebaseRole: String, Sendable {
    /// The program is the timebase master.
    case master
    /// Another program is the timebase master and remains it.
    case occupied
    /// Another program has become the timebase master instead of this one.
    case replaced
}
