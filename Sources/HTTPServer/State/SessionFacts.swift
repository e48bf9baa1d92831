internal import Pipelines
internal import SessionCore

/// The part `session`: the client, its JACK server, and whether the session has ended.
struct SessionFacts: Equatable {
    /// The state of the JACK server.
    enum Server: String { case starting, running, lost, hangs }

    private(set) var server = Server.starting
    private var name = ""
    private var clientName: String?
    private var sampleRate: Double?
    private var blockFrames: Int?
    private var latencyFrames: Int?
    private var isFreewheeling = false
    private var hasEnded = false

    /// Notes the name of the pipeline or the setlist.
    mutating func rename(to newName: String) { name = newName }

    /// Follows an event; most change nothing.
    mutating func follow(_ event: SessionEvent) {
        switch event {
        case .started(let start):
            server = .running
            clientName = start.clientName
            (sampleRate, blockFrames) = (start.sampleRate, start.blockFrames)
            latencyFrames = start.latencyFrames
        case .switched(let client, let pipeline): (clientName, name) = (client, pipeline)
        case .serverLost: server = .lost
        case .jackHangs: server = .hangs
        case .serverBack(let client, let rate, let block):
            server = .running
            (clientName, sampleRate, blockFrames) = (client, rate, block)
        case .formatChanged(let rate, let block, let latency):
            (sampleRate, blockFrames, latencyFrames) = (rate, block, latency)
        case .latencyChanged(_, _, let frames): latencyFrames = frames
        case .status(let status): latencyFrames = status.latencyFrames
        case .freewheel(let isOn): isFreewheeling = isOn
        case .ended: hasEnded = true
        default: break
        }
    }

    /// The sample rate in Hz; `nil` before the first cycle.
    var rate: Double? { sampleRate }

    var json: JSONValue {
        [
            "name": .string(name), "client": .optional(clientName),
            "server": .string(server.rawValue),
            "sample_rate": sampleRate.map { .number($0) } ?? .null,
            "block_frames": blockFrames.map { .integer($0) } ?? .null,
            "latency_frames": latencyFrames.map { .integer($0) } ?? .null,
            "freewheel": .bool(isFreewheeling), "ended": .bool(hasEnded),
        ]
    }
}
