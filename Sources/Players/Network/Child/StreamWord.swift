/// What a line of ffmpeg's log says of a stream.
enum StreamWord: Equatable {
    /// The sound's container is known, by ffmpeg's name.
    case format(String)
    /// How long it is; nil where it does not end or does not say.
    case durationSeconds(Double?)
    /// The length is reckoned from the number of bytes: it may be wrong.
    case durationIsEstimated
    /// A sign that it is a station: it goes on for ever.
    case isStation
    /// Another title plays.
    case title(String)
    /// A connection was made.
    case connected
    /// The sender closed before all had come that it had promised.
    case cutShort
    /// What an address leads to.
    case leadsTo(String)
    /// Why it does not go on.
    case fault(StreamFault)

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - line: The line, as `-loglevel level` writes it.
    ///   - url: The address that ffmpeg was given.
    init?(_ line: String, url: NetworkURL) {
        var text = Substring(line)
        let part = Self.takeBracket(&text, where: { $0.contains(" @ ") }) ?? ""
        guard let level = Self.takeBracket(&text, where: { _ in true }) else { return nil }
        let speaker = part.prefix { $0 != " " }
        guard
            let word = Self.notice(text, speaker: speaker)
                ?? Self.fault(text, level: level, url: url)
        else { return nil }
        self = word
    }

    /// Takes `[…] ` from the front of a line.
    private static func takeBracket(
        _ text: inout Substring, where isWanted: (Substring) -> Bool
    ) -> Substring? {
        guard text.first == "[", let end = text.firstIndex(of: "]") else { return nil }
        let inside = text.dropFirst().prefix { $0 != "]" }
        guard isWanted(inside) else { return nil }
        text = text[text.index(after: end)...]
        if text.first == " " { text.removeFirst() }
        return inside
    }

    private static func notice(_ text: Substring, speaker: Substring) -> StreamWord? {
        let isHTTP = speaker == "http" || speaker == "https"
        if isHTTP, let title = text.rest(behind: "Metadata update for StreamTitle: ") {
            return .title(String(title))
        }
        if isHTTP, text.hasPrefix("Stream ends prematurely") { return .cutShort }
        if isHTTP, let place = text.rest(behind: "header='Location: ") {
            return .leadsTo(String(place.prefix { $0 != "'" }))
        }
        if text.hasPrefix("Successfully connected") { return .connected }
        if let name = text.rest(behind: "Input #0, ") {
            return .format(String(name.prefix { $0 != "," }))
        }
        if let time = text.rest(behind: "  Duration: ") { return .durationSeconds(seconds(time)) }
        if text.hasPrefix("Estimating duration from bitrate") { return .durationIsEstimated }
        if text.hasPrefix("    icy-") { return .isStation }
        if text.hasPrefix("    "), let title = label("title", in: text) {
            return .title(String(title))
        }
        return text.contains("corrupt input packet in stream") ? .cutShort : nil
    }

    private static func fault(_ text: Substring, level: Substring, url: NetworkURL) -> StreamWord? {
        if let answer = text.rest(behind: "HTTP error ") {
            return .fault(.answered(Int(answer.prefix(3)) ?? 0, String(answer)))
        }
        guard level == "error" || level == "fatal" || level == "panic" else { return nil }
        return StreamFault(text, url: url).map { .fault($0) }
    }

    /// What stands behind a name in a list of what a container tells: `    title           : Words`.
    private static func label(_ name: String, in text: Substring) -> Substring? {
        text.drop { $0 == " " }.rest(behind: name)?.drop { $0 == " " }.rest(behind: ": ")
    }

    /// The seconds of `HH:MM:SS.CC`; nil for `N/A`.
    private static func seconds(_ text: Substring) -> Double? {
        let parts = text.prefix { $0 != "," }.split(separator: ":").map { Double($0) }
        guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2]
        else { return nil }
        return hours * 3600 + minutes * 60 + seconds
    }
}

extension Substring {
    /// What comes behind a beginning; nil where it begins otherwise.
    func rest(behind beginning: String) -> Substring? {
        hasPrefix(beginning) ? dropFirst(beginning.count) : nil
    }
}
