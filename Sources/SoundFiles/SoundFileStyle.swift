/// How a sound file is to be written: its format by name, and the bits of a sample.
public struct SoundFileStyle: Sendable, Equatable {
    /// One of `formats`.
    public var format: String
    /// 16 with dither, 24, or 32 for floats; nil for what the format usually has, and where it has none, as Ogg.
    public var bits: Int?

    /// What files can be written as.
    public static let formats = [
        "wav", "flac", "ogg", "opus", "mp3", "aiff", "caf", "au", "w64", "rf64",
    ]

    /// A style by name.
    public init(format: String, bits: Int? = nil) {
        self.format = format
        self.bits = bits
    }

    /// The style that a file name's extension stands for; WAV where it stands for none.
    public init(path: String, bits: Int? = nil) {
        self.init(format: Self.format(of: path) ?? "wav", bits: bits)
    }

    /// The format that a file name's extension stands for.
    public static func format(of path: String) -> String? {
        let name = path.split(separator: "/").last ?? ""
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let word = parts.count > 1 ? parts[parts.count - 1].lowercased() : ""
        let others = ["oga": "ogg", "aif": "aiff", "snd": "au", "wave": "wav"]
        return others[word] ?? (formats.contains(word) ? word : nil)
    }

    /// Whether the format stores samples of these bits.
    public var hasBits: Bool { SoundFileFormat(self, sampleCount: 0) != nil }

    /// "24-bit flac".
    var text: String { bits.map { "\($0)-bit \(format)" } ?? format }
}
