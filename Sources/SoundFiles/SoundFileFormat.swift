internal import CSndfile

/// The format in which libsndfile writes a sound file.
struct SoundFileFormat: Equatable {
    /// The format number of libsndfile: the container and the coding of the samples.
    let code: Int32
    /// The bits of integer samples, which clip at full scale; `nil` for floats and lossy codings.
    let integerBits: Int?

    /// Creates a format; returns `nil` if there is no such format or it does not support the bits.
    init?(_ style: SoundFileStyle, sampleCount: Int) {
        guard let container = Container(style.format, sampleCount: sampleCount),
            let bits = container.bits(style.bits)
        else { return nil }
        let sampleCode = container.lossyCode ?? Self.sampleCode(bits)
        code = Int32(truncatingIfNeeded: container.code | sampleCode)
        integerBits = container.lossyCode == nil && bits < 32 ? bits : nil
    }

    private static func sampleCode(_ bits: Int) -> Int {
        bits == 16 ? SF_FORMAT_PCM_16 : bits == 24 ? SF_FORMAT_PCM_24 : SF_FORMAT_FLOAT
    }
}

/// The container of the samples.
private struct Container {
    let code: Int
    /// The lossy coding; `nil` if the container stores samples.
    let lossyCode: Int?
    /// The supported bits per sample, the default first.
    private let storedBits: [Int]

    init?(_ name: String, sampleCount: Int) {
        switch name {
        case "wav":
            // 64 KiB are reserved for the header, which is smaller. RF64 is WAV without the limit
            // of 4 GiB.
            let fits = sampleCount < (1 << 32 - 1 << 16) / MemoryLayout<Float>.stride
            self.init(fits ? SF_FORMAT_WAV : SF_FORMAT_RF64)
        case "rf64": self.init(SF_FORMAT_RF64)
        case "w64": self.init(SF_FORMAT_W64)
        case "aiff": self.init(SF_FORMAT_AIFF)
        case "caf": self.init(SF_FORMAT_CAF)
        case "au": self.init(SF_FORMAT_AU)
        case "flac": self.init(SF_FORMAT_FLAC, bits: [24, 16])
        case "ogg": self.init(SF_FORMAT_OGG, bits: [], lossy: SF_FORMAT_VORBIS)
        case "opus": self.init(SF_FORMAT_OGG, bits: [], lossy: SF_FORMAT_OPUS)
        case "mp3": self.init(SF_FORMAT_MPEG, bits: [], lossy: SF_FORMAT_MPEG_LAYER_III)
        default: return nil
        }
    }

    private init(_ code: Int, bits: [Int] = [32, 16, 24], lossy: Int? = nil) {
        self.code = code
        storedBits = bits
        lossyCode = lossy
    }

    /// Returns the requested bits or the default; `nil` if the container does not support them.
    func bits(_ requested: Int?) -> Int? {
        guard let requested else { return storedBits.first ?? 0 }
        return storedBits.contains(requested) ? requested : nil
    }
}
