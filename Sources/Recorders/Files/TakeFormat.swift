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

    /// The largest number of channels in a file of this format.
    var maximumChannels: Int {
        switch self {
        case .wav: 1024
        case .flac: 8
        case .ogg: 255
        }
    }
}
