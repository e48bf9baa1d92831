internal import CSndfile

/// How a sound file is written.
struct SoundFileFormat: Equatable {
    /// libsndfile's number: the container and how samples are stored.
    let code: Int32
    /// Bits of whole numbers, which hold nothing beyond full scale; nil where samples are stored as floats or by ear.
    let integerBits: Int?

    /// A format by name, with the bits that are wished for; nil where the one does not exist, or has not the other.
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

/// What samples are put into.
private struct Container {
    let code: Int
    /// How it codes by ear; nil where it stores samples.
    let lossyCode: Int?
    /// Bits that it stores, the usual first.
    private let storedBits: [Int]

    init?(_ name: String, sampleCount: Int) {
        switch name {
        case "wav":
            // 64 KiB are left for the header, which needs less. RF64 is WAV's form without the limit of 4 GiB.
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

    /// The bits that are wished for, or the usual; nil where it can't store those.
    func bits(_ wished: Int?) -> Int? {
        guard let wished else { return storedBits.first ?? 0 }
        return storedBits.contains(wished) ? wished : nil
    }
}
