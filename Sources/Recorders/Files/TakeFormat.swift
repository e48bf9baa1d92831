/// The format of a take's file.
enum TakeFormat: String, CaseIterable, Sendable {
    case wav, flac, ogg

    /// The format that an extension stands for.
    init?(extension name: String) {
        switch name.lowercased() {
        case "wav", "wave": self = .wav
        case "flac": self = .flac
        case "ogg", "oga": self = .ogg
        default: return nil
        }
    }

    /// The most channels that a file may have.
    var mostChannels: Int {
        switch self {
        case .wav: 1024
        case .flac: 8
        case .ogg: 255
        }
    }
}
