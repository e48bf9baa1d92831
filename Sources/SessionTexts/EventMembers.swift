internal import SessionCore

extension EventName {
    /// The members of the event's object, in their order, without `event`.
    package var members: [EventDescription.Member] {
        switch self {
        case .started:
            [
                member("client"), member("pipeline"), member("sample_rate", "in Hz"),
                member("block_frames"), member("latency_frames", "of the pipeline"),
                member("startup_seconds", "from the start of the process to the first cycle"),
            ]
        case .song: [member("number", "from 1"), member("name")]
        case .songSkipped: [member("name"), member("reason")]
        case .scene: [member("name")]
        case .cue:
            [
                member("cue", "the cue in effect: null, or \(Self.cueText)"),
                member("next", "the cue that `go` calls, in the same form"),
                member("follow", "what follows by itself, such as `lights after 2 s`, or null"),
            ]
        case .status: Self.statusMembers
        case .problems:
            [
                member(
                    "problems",
                    """
                    each with `song` and `node` (or null), the `consequence` (`skipped`, `dry`, \
                    `silent` or `ignored`), and the members of a diagnostic of `check`
                    """)
            ]
        case .reloaded: [member("pipeline")]
        case .preparationFailed: [member("message")]
        case .switched: [member("client", "the new one"), member("pipeline", "the new one")]
        case .panic: []
        case .ended:
            [
                member("reason", "`signal`, `duration` or `asked`"), member("seconds"),
                member("xruns"), member("late_cycles"), member("peak_db"),
                member("load_worst", "1 is the whole period"),
            ]
        case .dropped: [member("lines", "their number")]
        case .learned: [member("address"), member("control"), member("file")]
        case .saved, .edited, .undone, .redone: editMembers
        case .history:
            [
                member("undo", "the name of the edit that can be undone next, or null"),
                member("redo", "the name of the edit that can be made again next, or null"),
            ]
        case .saveRefused: [member("reason")]
        case .compared: [member("values", "`saved` or `live`")]
        case .boxKept:
            [member("box", "the path of its folder"), member("reason", "why, in words")]
        case .boxNotKept: [member("reason")]
        case .nonFinite: [member("node")]
        case .reduced, .restored:
            [
                member("node"), member("reason", Self.reductionReasons),
                member("load", "the mean load before it, as a share of the period"),
            ]
        case .overrun:
            [
                member("node", "the node with the largest share"),
                member("periods", "the duration of the cycle in periods"),
                member("node_periods", "the part of this node"),
                member("playing_periods", "the part of all nodes of the active schedule"),
                member("ringing_periods", "the part of earlier songs and of nodes that ring out"),
            ]
        case .messagesDropped: [member("node"), member("count")]
        case .latencyChanged:
            [
                member("node"), member("node_latency_frames"),
                member("latency_frames", "of the pipeline"),
            ]
        case .pluginLost, .pluginAway, .pluginBack, .pluginAbandoned, .pluginStateNotKept,
            .pluginCallRefused, .pluginFileRefused, .pluginSandboxIncomplete, .pluginStopped,
            .pluginStuck, .pluginWroteBeyond, .title, .buffering, .sourcePlaying, .sourceEnded,
            .sourceReconnecting, .sourceSilenced, .sourceStarved, .takeStarted, .takeFinished,
            .takeClipped, .takeStopped, .takeRefused:
            [member("node"), member("plugin", "the name of the effect or plugin")]
                + incidentMembers
        case .serverStarted: [member("command")]
        case .nameChanged, .nameTaken:
            [member("wished", "the requested name"), member("given", "the name of the client")]
        case .serverLost: [member("reason", "JACK's text, or empty")]
        case .jackHangs, .coresNotUsed: []
        case .serverBack: [member("client"), member("sample_rate"), member("block_frames")]
        case .formatChanged:
            [member("sample_rate"), member("block_frames"), member("latency_frames")]
        case .timebase:
            [
                member(
                    "role",
                    """
                    `master`; `occupied`, another program is the timebase master and remains it; \
                    `replaced`, another program has become it
                    """)
            ]
        case .xruns:
            [
                member("count"),
                member("longest_ms", "the longest delay, or null if JACK does not report it"),
                member("first_time", "in seconds since 1970"), member("last_time"),
            ]
        case .connections:
            [
                member("ports", "all ports, each with \(Self.portText)"),
                member("changed", "the names of the ports that have changed"),
            ]
        case .connectionRefused: [member("port"), member("other")]
        case .portRefused: [member("port")]
        case .invalidPattern: [member("pattern")]
        case .memoryNotLocked:
            [
                member("locked_bytes"), member("unlocked_bytes", "of memory in RAM"),
                member("limit_bytes"),
            ]
        case .freewheel: [member("on")]
        case .bridge, .follow, .oscRefused, .httpStarted, .httpCode, .httpCodeDied, .httpPaired,
            .httpAccessFailed, .httpRefused:
            remoteMembers
        }
    }

    // MARK: Parts

    private static let cueText =
        "an object with `line` (as shown), `song` if it is another one, `scene`, `number`, `text`"

    private static let portText = """
        `port`, `direction` (`input`, `output`), `kind` (`audio`, `midi`), `connected`, `to` (the \
        connected ports), `unmatched` (the rules that match no port, each with `rule` and \
        `nearest`, the most similar port or null) and `ruled` (the connections that rules make, \
        each with `port` and `rule`)
        """

    private static let statusMembers = [
        member("outputs", "each with `port` and `peak_db`"),
        member("load_mean", "1 is the whole period"), member("load_worst"),
        member("core_loads", "the load of each core with `--cores`, the callback's first"),
        member("xruns", "since the start"),
        member("late_cycles", "our cycles that took longer than their period"),
        member("latency_frames", "of the pipeline"),
        member("round_trip_frames", "from the card's input to its output"),
        member("limiter_gain_db"),
        member("schedules", "active, ringing out or prepared; at most four"),
        member("reports", "an object with the address and the value of each report"),
        member("nodes", "each with `id`, `load_mean`, `load_worst` and `latency_frames`"),
    ]

    private var editMembers: [EventDescription.Member] {
        let setlist = member("setlist", "of the file, if it has one", optional: true)
        let first = [member("file"), setlist]
        let values = [member("values", "an object with the values by address")]
        return switch self {
        case .saved: first + [member("scene", "if they were saved in one", optional: true)] + values
        case .edited, .redone: first + [member("name", "of the edit")] + values
        default: first + values
        }
    }

    private var incidentMembers: [EventDescription.Member] {
        switch self {
        case .pluginLost, .pluginAbandoned, .pluginStateNotKept, .pluginSandboxIncomplete,
            .sourceSilenced, .takeRefused:
            [member("reason")]
        case .pluginCallRefused: [member("call")]
        case .pluginFileRefused:
            [member("access", "`read`, `write`, `remove` or `move`"), member("path")]
        case .pluginStopped: [member("periods", "the duration of the last run")]
        case .pluginStuck: [member("seconds")]
        case .title: [member("title")]
        case .buffering: [member("share", "from 0 to 1, of the data that it needs")]
        case .sourceReconnecting: [member("attempt", "from 1"), member("reason")]
        case .sourceStarved: [member("frames", "the number of silent frames")]
        case .takeStarted: [member("path")]
        case .takeFinished: [member("path"), member("seconds"), member("peak_db")]
        case .takeClipped:
            [
                member("path"),
                member("samples", "the number of samples that the format clips"),
                member("first_seconds", "the time of the first one in the take"),
                member("peak_db"),
            ]
        case .takeStopped:
            [
                member("path"), member("reason"),
                member("readable_seconds", "the part that can be read; 0 if there is no file"),
            ]
        default: []
        }
    }

    private var remoteMembers: [EventDescription.Member] {
        switch self {
        case .bridge:
            [
                member("command"),
                member("state", "`started` after a second without an end, `ended`, `impossible`"),
                member("reason", "except for `started`", optional: true),
            ]
        case .follow:
            [
                member("leader", "the address of the session"),
                member("state", "`connected`, `lost` or `refused`"),
                member("address", "only for `refused`", optional: true),
                member("reason", "except for `connected`", optional: true),
            ]
        case .oscRefused:
            [
                member("datagrams", "their number"), member("wrong_tokens", "their number"),
                member("uncompared_tokens", "not compared, because too many were tried"),
                member("sender", "the last one"),
            ]
        case .httpStarted:
            [
                member("url", "of the page"),
                member("fingerprint", "of the certificate, with TLS", optional: true),
            ]
        case .httpCode:
            [
                member("url"), member("code"), member("role"), member("limit", "or null"),
                member("seconds", "for which it is valid"),
            ]
        case .httpPaired: [member("name"), member("role"), member("limit", "or null")]
        case .httpAccessFailed: [member("message")]
        case .httpRefused:
            [
                member("count"),
                member(
                    "reason",
                    """
                    `foreign_host`, `foreign_site`, `no_key`, `wrong_code`, `forbidden`, \
                    `malformed`, `too_long`, `too_many` or `too_slow`
                    """),
            ]
        default: []
        }
    }

    private static let reductionReasons = NodeReduction.Reason.allCases
        .map { "`\($0.rawValue)`" }.joined(separator: ", ")

    private func member(
        _ name: String, _ meaning: String = "", optional: Bool = false
    ) -> EventDescription.Member {
        Self.member(name, meaning, optional: optional)
    }

    private static func member(
        _ name: String, _ meaning: String = "", optional: Bool = false
    ) -> EventDescription.Member {
        EventDescription.Member(name: name, meaning: meaning, isOptional: optional)
    }
}
