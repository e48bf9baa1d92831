/// The kinds of files that nodes can use, by the extension of their names.
enum LibraryFileKind: String, Sendable {
    /// A file that libsndfile reads.
    case sound
    /// A model, an instrument or a tuning for plugins.
    case model
    /// A pipeline or a setlist.
    case pipeline

    private static let sounds: Set<String> = [
        "wav", "flac", "ogg", "oga", "opus", "mp3", "aif", "aiff", "aifc", "caf", "au", "snd",
        "w64",
        "rf64",
    ]
    private static let models: Set<String> = [
        "nam", "aidax", "aidadspmodel", "sf2", "sf3", "sfz", "scl", "kbm", "h2drumkit", "dspreset",
    ]

    /// Creates the kind of a file; `nil` if no node can use it.
    init?(ofName name: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let ending = name[name.index(after: dot)...].lowercased()
        if Self.sounds.contains(ending) {
            self = .sound
        } else if Self.models.contains(ending) {
            self = .model
        } else if ending == "json" {
            self = .pipeline
        } else {
            return nil
        }
    }

    /// Returns whether a file of this kind may be sent with a content type.
    func admits(contentType: String) -> Bool {
        let type = contentType.prefix { $0 != ";" }.lowercased()
        switch self {
        case .sound:
            return type.hasPrefix("audio/")
                || ["application/octet-stream", "application/ogg", "video/ogg"].contains(type)
        case .model:
            return type.hasPrefix("audio/") || type.hasPrefix("text/")
                || ["application/octet-stream", "application/zip"].contains(type)
        case .pipeline: return type == "application/json"
        }
    }

    /// The content types that it admits, for messages.
    var types: String {
        switch self {
        case .sound: "audio/… or application/octet-stream"
        case .model: "application/octet-stream"
        case .pipeline: "application/json"
        }
    }

    /// All extensions, for messages.
    static var endings: String {
        (sounds.sorted() + models.sorted() + ["json"]).joined(separator: ", ")
    }
}
