internal import CSndfile

/// How a file holds its samples, as far as seeking goes.
enum SoundCoding {
    /// Each frame stands for itself, or the library sees to the rest.
    case plain
    case vorbis
    case mp3

    /// libsndfile's number of a format.
    init(_ format: Int32) {
        switch Int(format) & Int(SF_FORMAT_SUBMASK) {
        case Int(SF_FORMAT_VORBIS): self = .vorbis
        case Int(SF_FORMAT_MPEG_LAYER_I), Int(SF_FORMAT_MPEG_LAYER_II),
            Int(SF_FORMAT_MPEG_LAYER_III):
            self = .mp3
        default: self = .plain
        }
    }

    /// Frames that are decoded before the wanted one, since the library goes wrong in what follows a seek.
    var leadFrames: Int { self == .plain ? 0 : 16_384 }
}
