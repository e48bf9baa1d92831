internal import CSndfile

/// The coding of a file's samples, as far as it matters for seeking.
enum SoundCoding {
    /// Every frame is independent, or the library handles the dependency.
    case plain
    case vorbis
    case mp3

    /// Creates the coding for a format number of libsndfile.
    init(_ format: Int32) {
        switch Int(format) & Int(SF_FORMAT_SUBMASK) {
        case Int(SF_FORMAT_VORBIS): self = .vorbis
        case Int(SF_FORMAT_MPEG_LAYER_I), Int(SF_FORMAT_MPEG_LAYER_II),
            Int(SF_FORMAT_MPEG_LAYER_III):
            self = .mp3
        default: self = .plain
        }
    }

    /// The frames to decode before the requested one; the library decodes the first ones wrongly.
    var leadFrames: Int { self == .plain ? 0 : 16_384 }
}
