/// The file format of a take.
enum TakeFormat: String, CaseIterable, Sendable {
    case wav, flac, ogg

    /// Creates the format of a file extension.
    init?(extension name: String) {
        switch name.lowercased() {
        case "wav", "wave": self = .wav
        case "flac": self = .flac
        case "ogg", "oga": self = .ogg
        default: return nil
        }
    }

    /// Returns whether a file with this number of bits per sample clips samples beyond full scale.
    func clips(bits: Int) -> Bool {
        switch self {
        case .wav: bits < 32
        case .flac: true
        // Its samples are floating-point numbers.
        case .ogg: false
        }
    }

    /// The largest number of channels in a file of this format.
    var maximumChannels: Int {
        switch self {
        case .wav: 1024
        case .flac: 8
        case .ogg: 255
        }
    }
}
