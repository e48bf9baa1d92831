internal import CSndfile

/// How a sound file is written.
struct SoundFileFormat: Equatable {
    /// libsndfile's number: the container and how samples are stored.
    let code: Int32
    /// Whether samples are stored as whole numbers, which hold nothing beyond full scale.
    let isInteger: Bool

    private init(_ container: Int, _ samples: Int, isInteger: Bool = false) {
        code = Int32(truncatingIfNeeded: container | samples)
        self.isInteger = isInteger
    }

    /// 32-bit float WAV; RF64, its form without the limit of 4 GiB, where the samples would not fit.
    init(wavOf sampleCount: Int) {
        // 64 KiB are left for the header, which needs less.
        let fits = sampleCount < (1 << 32 - 1 << 16) / MemoryLayout<Float>.stride
        self.init(fits ? SF_FORMAT_WAV : SF_FORMAT_RF64, SF_FORMAT_FLOAT)
    }

    /// The format that a file name's extension stands for; 32-bit float WAV where it stands for none.
    ///
    /// - Parameters:
    ///   - path: The file's name.
    ///   - sampleCount: How many samples will be written, all channels together.
    init(path: String, sampleCount: Int) {
        switch Self.lowercasedExtension(of: path) {
        case "flac": self.init(SF_FORMAT_FLAC, SF_FORMAT_PCM_24, isInteger: true)
        case "ogg", "oga": self.init(SF_FORMAT_OGG, SF_FORMAT_VORBIS)
        case "opus": self.init(SF_FORMAT_OGG, SF_FORMAT_OPUS)
        case "mp3": self.init(SF_FORMAT_MPEG, SF_FORMAT_MPEG_LAYER_III)
        case "aiff", "aif": self.init(SF_FORMAT_AIFF, SF_FORMAT_FLOAT)
        case "caf": self.init(SF_FORMAT_CAF, SF_FORMAT_FLOAT)
        case "au", "snd": self.init(SF_FORMAT_AU, SF_FORMAT_FLOAT)
        case "w64": self.init(SF_FORMAT_W64, SF_FORMAT_FLOAT)
        case "rf64": self.init(SF_FORMAT_RF64, SF_FORMAT_FLOAT)
        default: self.init(wavOf: sampleCount)
        }
    }

    private static func lowercasedExtension(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1 ? parts[parts.count - 1].lowercased() : ""
    }
}
