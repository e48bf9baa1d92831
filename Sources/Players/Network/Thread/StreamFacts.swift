/// What ffmpeg's log told in one attempt.
struct StreamFacts: Equatable {
    /// The container, by ffmpeg's name.
    var format: String?
    /// The length; nil where it does not end or does not say.
    var durationSeconds: Double?
    /// Whether the length may be wrong.
    var isEstimated = false
    /// Whether it is a station.
    var isStation = false
    /// Whether the child ended by itself, and not by a fault of its own.
    var isDone = false
    /// Whether the sender closed too early.
    var isCutShort = false
    /// The most telling fault.
    var fault: StreamFault?
    /// Where the address led last.
    var leadsTo: String?
    /// Connections before it was known what comes.
    var connections = 0

    /// A chain of redirections that ffmpeg does not follow any further ends with so many connections.
    private static let endlessConnections = 9

    /// Whether it comes in parts of a list (HLS).
    var isPlaylist: Bool { format == "hls" }

    /// Whether all came that was promised, as far as anybody can tell.
    var isClean: Bool { isDone && !isCutShort && fault == nil }

    /// Takes what a line says.
    mutating func take(_ word: StreamWord) {
        switch word {
        case .format(let name): format = name
        case .durationSeconds(let seconds): durationSeconds = seconds
        case .durationIsEstimated: isEstimated = true
        case .isStation: isStation = true
        case .connected: connections += format == nil ? 1 : 0
        case .cutShort: isCutShort = true
        case .leadsTo(let place): leadsTo = place
        case .fault(let fault): if fault.weight > (self.fault?.weight ?? -1) { self.fault = fault }
        case .title: break
        }
    }

    /// The reason why there is no more sound.
    var reason: String {
        if isCutShort { return "the server closed the connection before the end" }
        if isRunInCircles { return "the address leads on and on" }
        return fault?.reason ?? "the sound stopped"
    }

    /// Whether the address leads from one to another without end.
    var isRunInCircles: Bool { format == nil && connections >= Self.endlessConnections }

    /// Whether another attempt would come to the same.
    var isHopeless: Bool { isRunInCircles || !isCutShort && fault?.isFinal == true }
}
