/// The meaning of a line in ffmpeg's log.
enum LogLine: Equatable {
    /// The container of the sound, by ffmpeg's name.
    case format(String)
    /// The duration; `nil` if the sound has no end or does not state it.
    case durationSeconds(Double?)
    /// The duration is an estimate from the number of bytes and can be wrong.
    case durationIsEstimated
    /// The stream is a radio station, which has no end.
    case isStation
    /// A new title has started.
    case title(String)
    /// ffmpeg has connected to a server.
    case connected
    /// The sender closed the connection before the promised end.
    case cutShort
    /// The reason why the stream does not continue.
    case error(StreamError)

    /// Parses a line.
    ///
    /// - Parameters:
    ///   - line: The line, in the form of `-loglevel level`.
    ///   - input: The address that ffmpeg was asked to fetch.
    init?(_ line: String, input: String) {
        var text = Substring(line)
        let part = Self.parseBracket(&text, where: { $0.contains(" @ ") }) ?? ""
        guard let level = Self.parseBracket(&text, where: { _ in true }) else { return nil }
        let speaker = part.prefix { $0 != " " }
        guard
            let word = Self.notice(text, speaker: speaker)
                ?? Self.error(text, level: level, input: input)
        else { return nil }
        self = word
    }

    /// Removes `[…] ` from the front of a line, and returns the text in the brackets.
    private static func parseBracket(
        _ text: inout Substring, where isWanted: (Substring) -> Bool
    ) -> Substring? {
        guard text.first == "[", let end = text.firstIndex(of: "]") else { return nil }
        let inside = text.dropFirst().prefix { $0 != "]" }
        guard isWanted(inside) else { return nil }
        text = text[text.index(after: end)...]
        if text.first == " " { text.removeFirst() }
        return inside
    }

    private static func notice(_ text: Substring, speaker: Substring) -> LogLine? {
        let isHTTP = speaker == "http" || speaker == "https"
        if isHTTP, let title = text.rest(behind: "Metadata update for StreamTitle: ") {
            return .title(String(title))
        }
        if isHTTP, text.hasPrefix("Stream ends prematurely") { return .cutShort }
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

    private static func error(_ text: Substring, level: Substring, input: String) -> LogLine? {
        if let answer = text.rest(behind: "HTTP error ") {
            return .error(.answered(Int(answer.prefix(3)) ?? 0, String(answer)))
        }
        guard level == "error" || level == "fatal" || level == "panic" else { return nil }
        return StreamError(text, input: input).map { .error($0) }
    }

    /// Returns the value of a name in a list of metadata: `    title           : Words`.
    private static func label(_ name: String, in text: Substring) -> Substring? {
        text.drop { $0 == " " }.rest(behind: name)?.drop { $0 == " " }.rest(behind: ": ")
    }

    /// Parses `HH:MM:SS.CC` into seconds; returns `nil` for `N/A`.
    private static func seconds(_ text: Substring) -> Double? {
        let parts = text.prefix { $0 != "," }.split(separator: ":").map { Double($0) }
        guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2]
        else { return nil }
        return hours * 3600 + minutes * 60 + seconds
    }
}

extension Substring {
    /// Returns the text after a prefix; `nil` if the text has another prefix.
    func rest(behind beginning: String) -> Substring? {
        hasPrefix(beginning) ? dropFirst(beginning.count) : nil
    }
}
