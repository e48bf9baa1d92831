/// The facts about one attempt, from ffmpeg's log.
struct StreamFacts: Equatable {
    /// The container, by ffmpeg's name.
    var format: String?
    /// The duration; `nil` if the sound has no end or does not state it.
    var durationSeconds: Double?
    /// Whether the duration can be wrong.
    var isEstimated = false
    /// Whether the stream is a radio station.
    var isStation = false
    /// Whether the child has exited without an error.
    var isDone = false
    /// Whether the sender closed the connection too early.
    var isCutShort = false
    /// The error with the highest rank.
    var error: StreamError?
    /// The number of connections before the container was known.
    var connections = 0

    /// The number of connections after which ffmpeg stops following a chain of redirections.
    private static let endlessConnections = 9

    /// Whether the stream is an HLS playlist.
    var isPlaylist: Bool { format == "hls" }

    /// Whether, as far as is known, everything promised has arrived.
    var isClean: Bool { isDone && !isCutShort && error == nil }

    /// Adds the meaning of a log line.
    mutating func add(_ word: LogLine) {
        switch word {
        case .format(let name): format = name
        case .durationSeconds(let seconds): durationSeconds = seconds
        case .durationIsEstimated: isEstimated = true
        case .isStation: isStation = true
        case .connected: connections += format == nil ? 1 : 0
        case .cutShort: isCutShort = true
        case .error(let error): if error.weight > (self.error?.weight ?? -1) { self.error = error }
        case .title: break
        }
    }

    /// The reason why there is no more sound.
    var reason: String {
        if isCutShort { return "the server closed the connection before the end" }
        if redirectsForever { return "too many redirections" }
        return error?.reason ?? "the sound stopped"
    }

    /// Whether the address redirects without end.
    var redirectsForever: Bool { format == nil && connections >= Self.endlessConnections }

    /// Whether another attempt would fail in the same way.
    var isHopeless: Bool { redirectsForever || !isCutShort && error?.isFinal == true }
}
