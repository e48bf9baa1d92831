public import SoundFiles

/// How a file is opened at a rate; tests have other ways.
public struct SoundOpener: Sendable {
    /// Opens the file of a path at frames a second.
    public var open: @Sendable (String, Double) throws(SoundFileFault) -> any SeekableSource

    /// Opens files in a way of its own.
    public init(
        _ open: @escaping @Sendable (String, Double) throws(SoundFileFault) -> any SeekableSource
    ) {
        self.open = open
    }

    /// Files of the disk.
    public static let files = SoundOpener { path, sampleRate throws(SoundFileFault) in
        try SoundFile.open(path).frames(at: sampleRate)
    }
}
