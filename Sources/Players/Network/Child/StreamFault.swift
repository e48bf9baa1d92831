/// Why a stream gives no sound.
enum StreamFault: Error, Equatable {
    /// The server answers with a number of the protocol, and its words.
    case answered(Int, String)
    /// The server does not prove who it is.
    case certificate
    /// The address leads to one that may not be asked.
    case leadsAstray
    /// What comes is no sound.
    case noSound
    /// What ffmpeg says.
    case other(String)

    /// Reads what ffmpeg says of an error.
    init?(_ text: Substring, url: NetworkURL) {
        if text.contains("ertificate") { self = .certificate; return }
        if text.contains("not on whitelist") {
            self = text.contains("ormat not on whitelist") ? .noSound : .leadsAstray
            return
        }
        // A damaged packet in the middle is said in the words for what is no sound, behind others.
        guard !text.hasPrefix("Error while decoding") else { return nil }
        switch Self.reason(text, url: url) {
        case "": return nil
        case "Invalid data found when processing input": self = .noSound
        case "Invalid argument": self = .leadsAstray
        case let reason: self = reason.contains("matches no streams") ? .noSound : .other(reason)
        }
    }

    /// The reason without the address, which may hold a password.
    private static func reason(_ text: Substring, url: NetworkURL) -> String {
        for beginning in ["\(url.text): ", "Error opening input: ", "Error during demuxing: "] {
            if let rest = text.rest(behind: beginning) { return String(rest.prefix(160)) }
        }
        for beginning in ["Connection to ", "Failed to resolve hostname "]
        where text.hasPrefix(beginning) {
            return String(text.split(separator: ": ").last ?? "").prefixed(for: beginning)
        }
        return text.hasPrefix("Stream map ") ? String(text) : ""
    }

    /// Whether another attempt would come to the same.
    var isFinal: Bool {
        switch self {
        case .answered(let number, _):
            (400..<500).contains(number) && ![408, 425, 429].contains(number)
        case .certificate, .leadsAstray, .noSound: true
        case .other: false
        }
    }

    /// How telling it is beside another one of the same attempt.
    var weight: Int {
        switch self {
        case .certificate: 5
        case .answered: 4
        case .noSound: 3
        case .leadsAstray: 2
        case .other(let reason): reason == "Input/output error" ? 0 : 1
        }
    }

    /// The reason for people to read.
    var reason: String {
        switch self {
        case .answered(let number, let words) where number > 0:
            "the server answers \(StreamTitle.cleaned(words, limit: 60))"
        case .answered: "the server's answer cannot be understood"
        case .certificate: "the server's certificate was not accepted"
        case .leadsAstray: "the address leads to one that may not be asked; only http and https may"
        case .noSound: "what comes is no sound that can be read"
        case .other(let reason): reason
        }
    }
}

extension String {
    /// The reason why a host was not reached.
    fileprivate func prefixed(for beginning: String) -> String {
        beginning.hasPrefix("Connection")
            ? "no connection: \(self)" : "the host is not known: \(self)"
    }
}
