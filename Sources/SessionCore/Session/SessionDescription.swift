public import Pipelines

/// Everything that a display must know about a session, at one moment.
public struct SessionDescription: Sendable, Equatable {
    /// The name of the pipeline or the setlist.
    public var name: String
    /// Whether the session plays a setlist.
    public var isSetlist: Bool
    /// All songs, in order.
    public var songs: [Song]
    /// The index of the current song in `songs`.
    public var song: Int
    /// The pipeline of the current song, as the engine plays it.
    public var pipeline: Pipeline
    /// The short names of all input ports, in the order of the engine ports.
    public var inputPorts: [String]
    /// The short names of all output ports, in the order of the engine ports.
    public var outputPorts: [String]
    /// The addresses that a `SessionRequest.dump` contains, with their values.
    public var values: [AddressValue]
    /// Everything that nodes report.
    public var reports: [NodeReport]
    /// The files that play, and the history of their edits.
    public var files: SessionFiles

    /// Creates a description from its parts.
    public init(
        name: String, isSetlist: Bool = false, songs: [Song], song: Int = 0, pipeline: Pipeline,
        inputPorts: [String] = [], outputPorts: [String] = [], values: [AddressValue] = [],
        reports: [NodeReport] = [], files: SessionFiles = SessionFiles()
    ) {
        self.name = name
        self.isSetlist = isSetlist
        self.songs = songs
        self.song = song
        self.pipeline = pipeline
        self.inputPorts = inputPorts
        self.outputPorts = outputPorts
        self.values = values
        self.reports = reports
        self.files = files
    }

    /// The valid values of the addresses of the session that have a range.
    public static let ranges: [String: ClosedRange<Double>] = [
        "tempo": MasterSection.tempoRange, "gain": MasterSection.gainRange,
    ]
}
