/// The format in which a sound file is written, by name, and its bits per sample.
public struct SoundFileStyle: Sendable, Equatable {
    /// The name of the format; one of `formats`.
    public var format: String
    /// The bits per sample: 16 with dither, 24, or 32 for floats; `nil` for the format's default.
    ///
    /// Lossy formats such as Ogg have no bits; the value must be `nil` for them.
    public var bits: Int?

    /// The supported formats.
    public static let formats = [
        "wav", "flac", "ogg", "opus", "mp3", "aiff", "caf", "au", "w64", "rf64",
    ]

    /// Creates a style from the name of a format.
    public init(format: String, bits: Int? = nil) {
        self.format = format
        self.bits = bits
    }

    /// Creates a style from the extension of a file name; WAV if the extension is not known.
    public init(path: String, bits: Int? = nil) {
        self.init(format: Self.format(of: path) ?? "wav", bits: bits)
    }

    /// Returns the format for the extension of a file name; `nil` if it is not known.
    public static func format(of path: String) -> String? {
        let name = path.split(separator: "/").last ?? ""
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let word = parts.count > 1 ? parts[parts.count - 1].lowercased() : ""
        let others = ["oga": "ogg", "aif": "aiff", "snd": "au", "wave": "wav"]
        return others[word] ?? (formats.contains(word) ? word : nil)
    }

    /// Whether the format supports `bits`.
    public var hasBits: Bool { SoundFileFormat(self, sampleCount: 0) != nil }

    /// The style as text, for example "24-bit flac".
    var text: String { bits.map { "\($0)-bit \(format)" } ?? format }
}
