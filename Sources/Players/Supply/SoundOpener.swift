public import SoundFiles

/// Opens sound files at a sample rate; tests substitute their own.
public struct SoundOpener: Sendable {
    /// Opens the file at a path, at a sample rate in Hz.
    public var open: @Sendable (String, Double) throws(SoundFileError) -> any SeekableSource

    /// Creates an opener with a custom function.
    public init(
        _ open: @escaping @Sendable (String, Double) throws(SoundFileError) -> any SeekableSource
    ) {
        self.open = open
    }

    /// Opens files on the disk.
    public static let files = SoundOpener { path, sampleRate throws(SoundFileError) in
        try SoundFile.open(path).frames(at: sampleRate)
    }
}
