/// The reason why a stream delivers no sound.
enum StreamError: Error, Equatable {
    /// The server answers with an HTTP error: its number and its text.
    case answered(Int, String)
    /// The server's certificate is not valid.
    case certificate
    /// The address redirects to one that is not http or https.
    case forbiddenRedirect
    /// The host is on this machine or in a private network, which is not allowed.
    case privateHost(String)
    /// The host cannot be reached.
    case unreached(String)
    /// The data contains no sound.
    case noSound
    /// Any other error of ffmpeg.
    case other(String)

    /// Parses an error message of ffmpeg.
    init?(_ text: Substring, input: String) {
        if text.contains("ertificate") { self = .certificate; return }
        if text.contains("not on whitelist") {
            self = text.contains("ormat not on whitelist") ? .noSound : .forbiddenRedirect
            return
        }
        // For a damaged packet within a stream, ffmpeg writes the text for data without sound after
        // this prefix.
        guard !text.hasPrefix("Error while decoding") else { return nil }
        switch Self.reason(text, input: input) {
        case "": return nil
        case "Invalid data found when processing input": self = .noSound
        case "Invalid argument": self = .forbiddenRedirect
        case let reason: self = reason.contains("matches no streams") ? .noSound : .other(reason)
        }
    }

    /// The longest reason that is kept, in characters.
    private static let longestReason = 160

    /// Returns the reason without the address; empty if the text is not a reason.
    private static func reason(_ text: Substring, input: String) -> String {
        for beginning in ["\(input): ", "Error opening input: ", "Error during demuxing: "] {
            if let rest = text.rest(behind: beginning) {
                return StreamTitle.cleaned(String(rest), limit: longestReason)
            }
        }
        guard text.hasPrefix("Stream map ") else { return "" }
        return StreamTitle.cleaned(String(text), limit: longestReason)
    }

    /// Whether another attempt would fail in the same way.
    var isFinal: Bool {
        switch self {
        case .answered(let number, _):
            (400..<500).contains(number) && ![408, 425, 429].contains(number)
        case .certificate, .forbiddenRedirect, .privateHost, .noSound: true
        case .unreached, .other: false
        }
    }

    /// The rank of the reason among several of the same attempt; the highest one is reported.
    var weight: Int {
        switch self {
        case .certificate, .privateHost, .unreached: 5
        case .answered: 4
        case .noSound: 3
        case .forbiddenRedirect: 2
        case .other(let reason): reason == "Input/output error" ? 0 : 1
        }
    }

    /// The reason as text for the user.
    var reason: String {
        switch self {
        case .answered(let number, let words) where number > 0:
            "the server answered \(StreamTitle.cleaned(words, limit: 60))"
        case .answered: "the server's answer cannot be understood"
        case .certificate: "the server's certificate was rejected"
        case .forbiddenRedirect: "the address leads to one that is neither http nor https"
        case .privateHost(let host):
            "\(host) is this machine or in a private network, which requires --allow-private"
        case .unreached(let reason): reason
        case .noSound: "the data contains no readable sound"
        case .other(let reason): reason
        }
    }
}
