/// The conversion of a sound file; properties that are `nil` are the same as in the input.
public struct ConversionRequest: Sendable {
    /// The path of the input.
    public var input: String
    /// The path of the output.
    public var output: String
    /// The format of the output.
    public var style: SoundFileStyle
    /// The sample rate of the output in Hz.
    public var sampleRate: Double?
    /// The number of channels of the output, at least 1.
    public var channels: Int?
    /// The integrated loudness of the output in LUFS (EBU R 128).
    public var loudness: Double?
    /// The start of the part to convert, in seconds of the input.
    public var startSeconds = 0.0
    /// The end of the part to convert, in seconds of the input; `nil` for the end of the input.
    public var endSeconds: Double?

    /// Creates a request that changes only the format.
    public init(input: String, output: String, style: SoundFileStyle) {
        self.input = input
        self.output = output
        self.style = style
    }
}

/// The reason why a file could not be converted.
public enum ConversionError: Error, Sendable, Equatable {
    /// The request does not fit the input; the text is a sentence without a full stop.
    case request(String)
    /// A sound file could not be read or written.
    case file(SoundFileError)
}

/// Runs a file operation, and converts its errors to errors of the conversion.
func onFiles<Result>(
    _ action: () throws(SoundFileError) -> Result
) throws(ConversionError) -> Result {
    do throws(SoundFileError) { return try action() } catch { throw .file(error) }
}

/// The result of a conversion.
public struct ConversionOutcome: Sendable, Equatable {
    /// The number of frames written.
    public let frameCount: Int
    /// The change of the level; `nil` if the request contained no loudness.
    public let level: LevelChange?
}
