public import SoundFiles

/// What is to become of a sound file: what is nil stays as it is in the input.
public struct ConversionRequest: Sendable {
    /// The file that is read.
    public var input: String
    /// The file that is made.
    public var output: String
    /// How it is written.
    public var style: SoundFileStyle
    /// Frames a second.
    public var sampleRate: Double?
    /// Channels, from 1 up.
    public var channels: Int?
    /// Integrated loudness in LUFS, after EBU R 128.
    public var loudness: Double?
    /// Where the sound begins, in seconds of the input.
    public var startSeconds = 0.0
    /// Where it ends, in seconds of the input; nil for the input's end.
    public var endSeconds: Double?

    /// A change of format alone.
    public init(input: String, output: String, style: SoundFileStyle) {
        self.input = input
        self.output = output
        self.style = style
    }
}

/// Why a file could not be converted.
public enum ConversionFault: Error, Sendable, Equatable {
    /// The request does not fit the input: a sentence without its full stop.
    case request(String)
    /// A sound file could not be read or written.
    case file(SoundFileFault)
}

/// Does something with files, whose faults become a conversion's.
func onFiles<Result>(
    _ action: () throws(SoundFileFault) -> Result
) throws(ConversionFault) -> Result {
    do throws(SoundFileFault) { return try action() } catch { throw .file(error) }
}

/// What came of a conversion.
public struct ConversionOutcome: Sendable, Equatable {
    /// How many frames were written.
    public let frameCount: Int
    /// How loud it was made; nil where no loudness was asked for.
    public let level: LevelChange?
}
